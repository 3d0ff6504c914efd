/** Load lit-html for node: it makes a walker over the document as soon as it is loaded. Then there is no document. */

globalThis.document = /** @type {any} */ ({ createTreeWalker: () => ({}), createComment: () => ({}) });
await import("../../static/vendor/lit-html/lit-html.js");
delete globalThis.document;
