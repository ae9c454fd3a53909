import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/packages/index.md
var __pageData = JSON.parse("{\"title\":\"Which package?\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"packages/index.md\",\"filePath\":\"docs/packages/index.md\"}");
var _sfc_main = { name: "packages/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="which-package" tabindex="-1">Which package? <a class="header-anchor" href="#which-package" aria-label="Permalink to “Which package?”">​</a></h1><table tabindex="0"><thead><tr><th>you want to</th><th>package</th></tr></thead><tbody><tr><td>run a node, a chain for development, or a verifying proxy</td><td><a href="/halley/packages/node.html">@org/node</a></td></tr><tr><td>look at a chain in a browser</td><td><a href="/halley/packages/explorer.html">the explorer</a></td></tr><tr><td>begin a project of your own</td><td><a href="/halley/packages/create-chain.html">@org/create-chain</a></td></tr><tr><td>write an application</td><td><a href="/halley/packages/app.html">@org/app</a></td></tr><tr><td>write an application that does everything itself</td><td><a href="/halley/packages/abci.html">@org/abci</a></td></tr><tr><td>test an application, or search for faults in a network</td><td><a href="/halley/packages/simnet.html">@org/simnet</a></td></tr><tr><td>ask a node from TypeScript, or serve the RPC over your own data</td><td><a href="/halley/packages/rpc.html">@org/rpc</a></td></tr><tr><td>verify the answers of a node</td><td><a href="/halley/packages/light.html">@org/light</a></td></tr><tr><td>read and write the messages, hashes and signatures of the chain</td><td><a href="/halley/packages/types.html">@org/types</a></td></tr><tr><td>put a node into a program of your own</td><td><a href="/halley/packages/engine.html">@org/engine</a>, <a href="/halley/packages/node-rpc.html">@org/node-rpc</a></td></tr><tr><td>use the network of peers for other messages</td><td><a href="/halley/packages/p2p.html">@org/p2p</a></td></tr><tr><td>use the parts that all packages share: clocks, loggers, metrics, errors</td><td><a href="/halley/packages/runtime.html">@org/runtime</a></td></tr><tr><td>see a small application</td><td><a href="/halley/packages/kvstore.html">@org/kvstore</a></td></tr></tbody></table></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/packages/index.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var packages_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, packages_default as default };
