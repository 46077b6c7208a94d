// The theme: as the system has it, light or dark. The other pages remember it in the same place.
// Loaded before the page is drawn.
"use strict";
(() => {
  const themes = ["auto", "light", "dark"];
  const key = "vitepress-theme-appearance";
  let theme = "auto";
  try {
    theme = localStorage.getItem(key) ?? theme;
  } catch {
    // a browser that keeps nothing
  }
  document.documentElement.dataset.theme = theme;
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.textContent = `Theme: ${theme}`;
    button.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      document.documentElement.dataset.theme = theme;
      button.textContent = `Theme: ${theme}`;
      try {
        localStorage.setItem(key, theme);
      } catch {
        // as above
      }
    });
  });
})();
