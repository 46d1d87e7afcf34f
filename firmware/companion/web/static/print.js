// A button that prints the page; without JavaScript use the browser's own menu.

const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => print());
