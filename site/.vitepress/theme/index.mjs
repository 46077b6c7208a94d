import DefaultTheme from "vitepress/theme-without-fonts";
import { withBase } from "vitepress";
import { h } from "vue";
import RuleFilter from "./RuleFilter.vue";
import "./style.css";

const foot = () => h("p", { class: "foot" }, [
  h("a", { href: withBase("/THIRD_PARTY_LICENSES.txt"), target: "_self" }, "Licences"), " · this site sets no cookies and counts no visitors",
]);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-footer-before": foot }),
  enhanceApp: ({ app }) => app.component("RuleFilter", RuleFilter),
};
