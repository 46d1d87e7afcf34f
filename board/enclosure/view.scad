// Show a rendered part, to take its picture.
stl = "";
import(stl);
