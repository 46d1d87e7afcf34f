// The board: a front with a hole over every LED and a groove behind each row for its strip, and a back that closes it.
// part: "whole" to look at, "front" or "back" with segment 0, 1, ... to print. Not printed yet by us.
include <measures.scad>

part = "whole";
segment = 0;

face = 2.4;           // above the strips; veneer or paper on it softens the light
groove = 3.2;         // depth for strip, solder and wires
hole = 3.6;
edge = 8;             // wood around the layout's own size; the screws stand in it
wall = 3;
back = 2;
screw = 3.2;          // M3
lead = 12;            // where wires go from row to row, at both ends
gap = 12;             // between front and back when looked at
$fn = 12;

length = board_size[0];
depth = board_size[1];
thick = face + groove;
left = wall;
right = max([for (at = board_lamps) at[0]]) + lead / 2;
screws = [for (n = [0 : len(board_cuts) - 1], y = [-edge / 2, depth + edge / 2], side = [-1, 1])
  let (x = board_cuts[n] + 8 * side) if (x > -edge && x < length + edge) [x, y]];

// The front lies on its face, as it is printed: seen from behind, x to the right and y away from you. Turned over, as
// people see it, y comes towards the players: the layout's own way.
module outline() { translate([-edge, -edge]) offset(6) offset(-6) square([length + 2 * edge, depth + 2 * edge]); }

module lamps() { for (at = board_lamps) translate(at) circle(d = hole); }

module grooves() {
  for (y = board_rows) {
    ends = max([for (at = board_lamps) if (at[1] == y) at[0]]) + lead;
    translate([left, y - board_groove / 2]) square([ends - left, board_groove]);
  }
  for (x = [left, right]) translate([x, min(board_rows)]) square([lead, max(board_rows) - min(board_rows)]);
}

module screw_holes() { for (at = screws) translate(at) circle(d = screw); }

// A part of the plan, cut while it is flat: OpenSCAD is quick with flat things. Without n the whole.
module piece(n) {
  from = n == undef || n == 0 ? -edge : board_cuts[n];
  to = n == undef || n == len(board_cuts) - 2 ? length + edge : board_cuts[n + 1];
  intersection() {
    children();
    translate([from, -edge]) square([to - from, depth + 2 * edge]);
  }
}

module front(n) {
  linear_extrude(face) piece(n) difference() { outline(); lamps(); screw_holes(); }
  translate([0, 0, face]) linear_extrude(groove) piece(n) difference() { outline(); grooves(); screw_holes(); }
}

module back(n) {
  linear_extrude(back) piece(n) difference() {
    outline();
    screw_holes();
    translate([left + lead / 2, depth / 2]) circle(d = 8); // the leads
  }
}

// "whole": lying as on the table, face up, the back a little below.
if (part == "whole") {
  translate([0, depth, thick]) rotate([180, 0, 0]) front();
  translate([0, depth, -gap]) rotate([180, 0, 0]) color("dimgray") back();
}
if (part == "front") front(segment);
if (part == "back") back(segment);
