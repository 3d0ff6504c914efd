import { h } from "../views/dom.js";
export default { id: "workload", title: "Workload", question: "What arrives, how large, how long?", preview: "workload",
  mount(form) { form.append(h("p", {}, "soon")); return { experiment() {}, problems() { return []; }, preview() {} }; } };
