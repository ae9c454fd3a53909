// packages/light/docs/light-page.png
var light_page_default = "/halley/assets/light-page.CceNwLkR.png";
export { light_page_default as t };
