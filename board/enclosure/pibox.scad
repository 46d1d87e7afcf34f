// A box for the Raspberry Pi (3 B+, 4, 5 or Zero), the level shifter's perfboard, a barrel-jack adapter with screw
// terminals and a fuse holder. A closed mains adapter feeds 5 V through the jack: never put an open mains supply,
// or anything else that carries mains, into printed plastic. Not yet printed.
// part: "whole" to look at, "tray" or "lid", both printed as drawn.
include <common.scad>

part = "whole";

jack = [16, 40];      // the pocket of an adapter 14 mm wide and 38 mm long
jack_hole = 11;
fence = 5;            // the pocket's height
cable = 7;            // notches in the wall, open to the lid
ribbon = 18;          // the camera's flat cable
vent = 3;
$fn = 48;

wide = pibox_wide;
deep = pibox_deep;
wall = pibox_wall;
floor = pibox_floor;
high = pibox_high;

module inside() { square([wide, deep]); }

module outline() { offset(pibox_corner) offset(-pibox_corner) offset(delta = wall) inside(); }

module bosses() {
  for (at = pibox_screws) translate(at) circle(d = pibox_boss);
}

// A row of slots from (x, y); `along` is the length of the row.
module vents(x, y, count, along) {
  for (n = [0 : count - 1]) translate([x + n * 2.5 * vent, y]) offset(1) offset(-1) square([vent, along]);
}

// Openings of the walls, all open at the top: no bridges to print.
module openings() {
  up = high + 1;
  // sockets for USB and network, right; for power and picture, in front
  translate([wide - 1, pibox_pi_y + 1, 4]) cube([wall + 2, 54, up]);
  translate([pibox_pi_x + 3, -wall - 1, 2]) cube([pibox_zero_x + 62 - pibox_pi_x - 3, wall + 2, up]);
  // the jack, left
  translate([-wall - 1, 18 - jack_hole / 2, 1]) cube([wall + 2, jack_hole, up]);
  // behind: strip, buttons, buzzer or speaker, and the camera
  for (x = [20, 38, 56]) translate([x - cable / 2, deep - 1, high - 2 * cable]) cube([cable, wall + 2, 3 * cable]);
  translate([pibox_pi_x + 20, deep - 1, high - 4]) cube([ribbon, wall + 2, 5]);
}

module tray() {
  difference() {
    union() {
      linear_extrude(floor) outline();
      translate([0, 0, floor]) linear_extrude(high) {
        difference() { outline(); inside(); }
        intersection() { outline(); bosses(); }
      }
    }
    translate([0, 0, floor]) openings();
    for (at = pibox_hang_holes) translate([at[0], at[1], -1]) cylinder(d = plate_bar_screw, h = floor + 2);
    for (at = pibox_screws) translate([at[0], at[1], floor + high]) insert();
    translate([0, 0, -1]) linear_extrude(floor + 2) vents(pibox_pi_x + 20, pibox_pi_y + 12, 3, 8);
    translate([0, 0, -1]) linear_extrude(floor + 2) vents(pibox_pi_x + 12, pibox_pi_y + 33, 6, 14);
    for (y = [20 : 2.5 * vent : 40]) translate([-wall - 1, 36 + y, floor + 8]) cube([wall + 2, vent, high]);
  }
  translate([0, 0, floor - 0.01]) {
    for (at = pibox_pi_holes) translate(at) post(pibox_pi_post, fit_tap_m25);
    for (at = pibox_zero_holes) translate(at) post(pibox_zero_post, fit_tap_m25);
    for (at = pibox_perf_holes) translate(at) post(pibox_pi_post, fit_tap_m2, 5);
    // the jack's pocket, with a stop behind it and a tie across
    translate([0, 18]) difference() {
      translate([0, -jack[0] / 2 - 2]) cube([jack[1] + 2, jack[0] + 4, fence]);
      translate([-1, -jack[0] / 2, -1]) cube([jack[1] + 1, jack[0], fence + 2]);
      translate([jack[1], -4, -1]) cube([3, 8, fence + 2]); // its two wires
      translate([14, -jack[0], 1.2]) cube([6, 2 * jack[0], 2]); // the tie
    }
    // the fuse holder, and the strip's screw terminals
    for (at = [[16, 42], [44, 42], [16, 66], [44, 66]]) translate(at) anchor();
    // strain relief, a tie for each cable
    for (x = [20, 38, 56]) translate([x, deep - 12]) rotate(90) anchor();
  }
}

module lid() {
  difference() {
    linear_extrude(pibox_lid) difference() {
      outline();
      mirrored() vents(pibox_pi_x + 12, pibox_pi_y + 10, 8, 36);
      mirrored() vents(pibox_pi_x + 12, pibox_perf_y + 8, 8, 34);
      mirrored() vents(12, 30, 4, 50);
    }
    for (at = pibox_screws) translate([wide - at[0], at[1]]) countersunk(pibox_lid);
  }
}

// The lid is printed on its outer side.
module mirrored() { translate([wide, 0]) mirror([1, 0]) children(); }

made() {
  if (part == "whole") {
    tray();
    color("dimgray") translate([wide + 14, 0]) lid();
  }
  if (part == "tray") tray();
  if (part == "lid") lid();
}
