// A button that prints the page; without JavaScript the browser's own menu does.

const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => print());
