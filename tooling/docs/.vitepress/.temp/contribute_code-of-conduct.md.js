import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// CODE_OF_CONDUCT.md
var __pageData = JSON.parse("{\"title\":\"Code of conduct\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"contribute/code-of-conduct.md\",\"filePath\":\"CODE_OF_CONDUCT.md\"}");
var _sfc_main = { name: "contribute/code-of-conduct.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="code-of-conduct" tabindex="-1">Code of conduct <a class="header-anchor" href="#code-of-conduct" aria-label="Permalink to “Code of conduct”">​</a></h1><p>This project is open to everybody. We want every person who takes part to be treated with respect, independent of experience, origin, language, gender, age, faith, body or opinion.</p><p><strong>We expect</strong> that you are patient with people who know less, or who write English as a second language; that you criticise the work and not the person, with reasons; that you accept criticism of your own work in the same way; and that you admit a mistake and mend it.</p><p><strong>We do not accept</strong> insults, threats, sexual attention, contempt for a group of people, disclosure of somebody&#39;s private data, or any other behaviour that drives people away. This holds in issues, pull requests, chats and meetings, and wherever somebody speaks for the project.</p><p><strong>If somebody breaks these rules</strong>, write to the maintainers in private, through the page that <a href="/halley/security.html#how-to-report-a-fault">SECURITY.md</a> names. They read every report, do not disclose the author without consent, and answer within a week. They may edit or remove what was written, warn its author, or exclude them for a time or for good. A maintainer who is part of the matter does not decide it.</p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("CODE_OF_CONDUCT.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var CODE_OF_CONDUCT_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, CODE_OF_CONDUCT_default as default };
