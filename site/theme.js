// The theme: as the system has it, light or dark. Loaded before the page is drawn.
"use strict";
(() => {
  const themes = ["auto", "light", "dark"];
  const key = "brennerlint-theme";
  let theme = "auto";
  try {
    theme = themes.find((t) => t === localStorage.getItem(key)) ?? theme;
  } catch {
    // a browser that keeps nothing
  }
  document.documentElement.dataset.theme = theme;
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => {
      document.documentElement.dataset.theme = theme;
      button.textContent = `Theme: ${theme}`;
    };
    button.hidden = false;
    show();
    button.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      show();
      try {
        localStorage.setItem(key, theme);
      } catch {
        // as above
      }
    });
    const menu = document.querySelector(".pages > details");
    if (menu && matchMedia("(max-width: 62rem)").matches) menu.open = false;
  });
})();
