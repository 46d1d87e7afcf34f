// The board: a front with a hole over every LED and a groove behind each row for its strip, and a back that closes it.
// part: "whole" or "exploded" to look at, "front" or "back" with segment 0, 1, ... to print. Each part of the back
// bridges a seam of the front: the screws on both sides of each seam go through both. Not yet printed.
include <common.scad>

part = "whole";
segment = 0;

face = 2.4;           // above the strips; veneer or paper on it softens the light
groove = 3.2;         // depth for strip and solder; both ends are deeper, because two wires of 18 AWG cross there
hole = 3.6;
wall = 3;
back = 2.4;
lead = 12;            // space at both ends for the wires from row to row
skin = 0.8;           // thickness above the inserts
gap = 12;             // between front and back in the exploded view
$fn = 12;

length = board_size[0];
depth = board_size[1];
thick = face + groove;
left = wall;
right = max([for (at = board_lamps) at[0]]) + lead / 2;

// The front is on its face, as it is printed: seen from behind, x to the right and y away from you. Turned over, as
// people see it, y points to the players, as in the layout.
module outline() {
  translate([-board_edge, -board_edge]) offset(6, $fn = 48) offset(-6) square([length + 2 * board_edge, depth + 2 * board_edge]);
}

module lamps() { for (at = board_lamps) translate(at) circle(d = hole); }

module grooves() {
  for (y = board_rows) {
    ends = max([for (at = board_lamps) if (at[1] == y) at[0]]) + lead;
    translate([left, y - board_groove / 2]) square([ends - left, board_groove]);
  }
  ends();
}

module ends() {
  for (x = [left, right]) translate([x, min(board_rows)]) square([lead, max(board_rows) - min(board_rows)]);
}

module screw_holes(d) { for (at = board_screws) translate(at) circle(d = d, $fn = 32); }

module wires() { translate([board_leads_out[0], board_leads_out[1]]) circle(d = board_leads_out[2], $fn = 32); }

// Segment n of a plan, or the whole plan without n; cut while it is flat, because OpenSCAD is quick with flat shapes.
module piece(cuts, n) {
  from = n == undef ? cuts[0] : cuts[n];
  to = n == undef ? cuts[len(cuts) - 1] : cuts[n + 1];
  intersection() {
    children();
    translate([from, -board_edge]) square([to - from, depth + 2 * board_edge]);
  }
}

module front(n) {
  linear_extrude(skin) piece(board_front_cuts, n) difference() { outline(); lamps(); }
  translate([0, 0, skin]) linear_extrude(face - skin) piece(board_front_cuts, n)
    difference() { outline(); lamps(); ends(); screw_holes(fit_insert); }
  translate([0, 0, face]) linear_extrude(groove) piece(board_front_cuts, n)
    difference() { outline(); grooves(); screw_holes(fit_insert); }
}

// The back is on its outer side, as it is printed: seen from in front, so its y is mirrored.
module back(n) {
  difference() {
    linear_extrude(back) translate([0, depth]) mirror([0, 1]) piece(board_back_cuts, n)
      difference() { outline(); wires(); }
    for (at = board_screws) translate([at[0], depth - at[1], 0]) countersunk(back, $fn = 32);
  }
}

// "whole": as on the table, face up, with the back a little below.
module whole() {
  translate([0, depth, thick]) rotate([180, 0, 0]) front();
  color("dimgray") translate([0, 0, -gap - back]) back();
}

// "exploded": the parts of the front above those of the back, with gaps at the seams.
module exploded() {
  for (n = [0 : len(board_front_cuts) - 2])
    translate([n * gap, depth, thick + 3 * gap]) rotate([180, 0, 0]) front(n);
  for (n = [0 : len(board_back_cuts) - 2])
    color("dimgray") translate([(n - 0.5) * gap, 0, -gap - back]) back(n);
}

// Plan to cut: front or back as people see it, y up, with screw holes. Drawn flat: a projection would take a minute.
module sheet(cuts, n) {
  translate([0, depth]) mirror([0, 1]) piece(cuts, n) difference() { outline(); screw_holes(fit_screw); children(); }
}

if (part == "whole") whole();
if (part == "exploded") exploded();
if (part == "front") {
  if (flat) widened() sheet(board_front_cuts, segment) lamps();
  else front(segment);
}
if (part == "back") {
  if (flat) widened() sheet(board_back_cuts, segment) wires();
  else back(segment);
}
