// Show a rendered part; for its picture.
stl = "";
import(stl);
