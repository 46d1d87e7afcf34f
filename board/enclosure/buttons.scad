// A box for three arcade buttons of 30 mm with lamps: KEEP, BANK, ROLL. Not yet printed.
// part: "whole" to look at, "top" (printed on its face) or "bottom" (printed on its outer side).
include <common.scad>

part = "whole";

engraved = 0.6;
stroke = 1.2;
boss = 10;            // for the inserts, in the corners
$fn = 64;

high = button_high;
screws = button_screws;

module outline() { plate(button_wide, button_deep, button_corner); }

// Seen from above the plate; mirrored when it is printed on its face.
module face() {
  difference() {
    outline();
    for (at = button_holes) translate(at) circle(d = button_hole);
  }
}

module labels() {
  for (line = button_strokes, n = [0 : len(line) - 2])
    hull() { translate(line[n]) circle(d = stroke, $fn = 12); translate(line[n + 1]) circle(d = stroke, $fn = 12); }
}

// On its face, as printed: x is mirrored.
module top() {
  mirror([1, 0, 0]) difference() {
    union() {
      linear_extrude(button_plate) face();
      linear_extrude(high) difference() { outline(); offset(-button_wall) outline(); }
      linear_extrude(high) intersection() {
        outline();
        for (at = screws) translate(at) circle(d = boss);
      }
    }
    translate([0, 0, -1]) linear_extrude(engraved + 1) labels();
    for (at = screws) translate([at[0], at[1], high]) insert();
    // the cable's notch, open to the bottom
    translate([-button_cable / 2, button_deep / 2 - 2 * button_wall, high - button_cable])
      cube([button_cable, 3 * button_wall, button_cable + 1]);
  }
}

// On its outer side, as printed, with the inside up. It is turned, so x is as in the top.
module bottom() {
  difference() {
    linear_extrude(button_bottom) outline();
    for (at = screws) translate(at) countersunk(button_bottom);
  }
  for (y = [0, -14]) translate([0, button_deep / 2 - 12 + y, button_bottom]) rotate(90) anchor();
}

made() {
  if (part == "whole") {
    translate([0, 0, high + button_bottom]) rotate([0, 180, 0]) top();
    color("dimgray") translate([0, -button_deep - 12, 0]) bottom();
  }
  if (part == "top") top();
  if (part == "bottom") bottom();
}
