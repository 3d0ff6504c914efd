/** Pictures of jobs that are graphs, of networks, of pipelines and of messages: their modules come when a run has such. */

export function wireGraphs(studio) {
  let asked = null;
  studio.panels.push({
    async meta(meta) {
      if (!meta.graphs && !meta.network && !meta.messages && meta.scheduler?.family !== "pipeline" && !studio.desk) return;
      asked ??= import("../graphs/desk.js");
      const { Desk } = await asked;
      studio.desk ??= new Desk(studio, studio.view);
      if (studio.meta === meta) studio.desk.describe(meta);
    },
    experiment: () => studio.desk?.listed(),
    problems: (problems) => studio.desk?.problems(problems),
    state: (session) => studio.desk?.state(session),
  });
}
