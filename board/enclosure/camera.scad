// The camera's post: a foot for an upright wooden bar of 20 x 20 mm, an elbow for the bar across, and the plate at its
// end. The module hangs under the plate on spacers, lens down: the connector on its back needs 3 mm, and the
// cable needs space.
// part: "whole" to look at, "plate", "spacers" (four), "foot" or "elbow". All are printed as drawn. Not yet printed.
include <common.scad>

part = "whole";

bar = plate_bar;
play = 0.4;
wood = 3.6;           // holes for wood screws of 3.5 mm
rib = 4;              // on both sides of the bar: the plate cannot turn
rib_high = 8;
socket = 55;          // depth of the bar in the foot
shell = 5;
foot = 84;
sole = 5;
wing = [84, 34, 5];   // the foot's upright plate, to the tray's back wall
arm = 60;             // length of the elbow along each bar
$fn = 48;

module camera_plate() {
  long = plate_front + plate_back;
  difference() {
    translate([0, (plate_back - plate_front) / 2]) linear_extrude(plate_thick) plate(plate_wide, long, plate_corner);
    for (at = plate_module_holes) translate([at[0], at[1], -1]) cylinder(d = plate_m2, h = plate_thick + 2);
    for (at = plate_bar_holes) translate([at[0], at[1], -1]) cylinder(d = plate_bar_screw, h = plate_thick + 2);
    translate([-plate_slot_wide / 2, plate_slot_y - plate_slot / 2, -1]) cube([plate_slot_wide, plate_slot, plate_thick + 2]);
  }
  first = plate_bar_first - 8;
  for (side = [-1, 1]) translate([side * (bar + rib + play) / 2 - rib / 2, first, 0])
    cube([rib, plate_back - plate_corner - first, plate_thick + rib_high]);
}

module spacers() {
  for (at = plate_module_holes) translate([at[0] * 0.6, at[1]]) difference() {
    cylinder(d = 5, h = plate_spacer);
    translate([0, 0, -1]) cylinder(d = plate_m2, h = plate_spacer + 2);
  }
}

// The wing's outer side, at y = 0, is screwed to the tray's back wall, or not used.
module foot() {
  inner = bar + play;
  outer = inner + 2 * shell;
  middle = wing[2] + outer / 2 + 14;
  difference() {
    union() {
      translate([0, foot / 2]) linear_extrude(sole) plate(foot, foot, 6);
      translate([-outer / 2, middle - outer / 2, 0]) cube([outer, outer, sole + socket]);
      for (turn = [0, 90, 180, 270]) translate([0, middle]) rotate(turn) gusset(outer / 2, turn == 270 ? 13 : 18);
      translate([-wing[0] / 2, 0, 0]) cube([wing[0], wing[2], wing[1]]);
    }
    translate([-inner / 2, middle - inner / 2, sole]) cube([inner, inner, socket + 1]);
    // into the bar; screws of two neighbouring sides do not meet, those of opposite sides would
    translate([0, middle, sole + 38]) rotate([0, 90, 0]) cylinder(d = wood, h = outer + 2, center = true);
    translate([0, middle, sole + 48]) rotate([90, 0, 0]) cylinder(d = wood, h = outer + 2, center = true);
    // into the base
    for (x = [-1, 1], y = [0, 1]) translate([x * (foot / 2 - 8), 20 + y * (foot - 28)]) wood_screw(sole);
    // into the tray's wall
    for (x = [-1, 1]) translate([x * 30, -1, 22]) rotate([-90, 0, 0]) cylinder(d = wood, h = wing[2] + 2);
  }
}

module gusset(from, long) {
  rotate([90, 0, 0]) translate([0, 0, -2]) linear_extrude(4) polygon([[from - 1, sole], [from + long, sole], [from - 1, sole + 1.8 * long]]);
}

module wood_screw(through) {
  translate([0, 0, -1]) cylinder(d = wood, h = through + 2);
  translate([0, 0, through - 2]) cylinder(d1 = wood, d2 = wood + 4.02, h = 2.01);
}

// Two channels at a right angle: the upright bar comes from below (-y), the bar across goes to the right.
module elbow() {
  inner = bar + play;
  outer = inner + 2 * shell;
  low = [-outer / 2, -outer / 2 - arm];
  difference() {
    union() {
      linear_extrude(shell) profile(outer);
      translate([0, 0, shell]) linear_extrude(bar * 0.8) difference() {
        profile(outer);
        translate([-inner / 2, -outer / 2 - arm - 1]) square([inner, outer / 2 + arm + 1 + inner / 2]);
        translate([inner / 2 + shell, -inner / 2]) square([outer / 2 + arm, inner]);
        translate([-inner / 2, -inner / 2]) square([outer + arm, inner]);
      }
    }
    for (n = [-arm, -arm / 2]) translate([0, n - 4, -1]) cylinder(d = wood, h = shell + 2);
    for (n = [arm / 2, arm]) translate([n + 4, 0, -1]) cylinder(d = wood, h = shell + 2);
    translate([0, -arm + 4, shell + bar * 0.4]) rotate([0, 90, 0]) cylinder(d = wood, h = outer + 2, center = true);
    translate([arm - 4, 0, shell + bar * 0.4]) rotate([90, 0, 0]) cylinder(d = wood, h = outer + 2, center = true);
  }
}

// The elbow's plan: two arms, and a web between them.
module profile(outer) {
  translate([-outer / 2, -outer / 2 - arm]) square([outer, outer + arm]);
  translate([-outer / 2, -outer / 2]) square([outer + arm, outer]);
  polygon([[outer / 2 - 1, -outer / 2 + 1], [outer / 2 + arm * 0.8, -outer / 2 + 1], [outer / 2 - 1, -outer / 2 - arm * 0.8]]);
}

made() {
  if (part == "whole") {
    foot();
    translate([100, 46, 0]) elbow();
    translate([-80, 36, 0]) camera_plate();
    translate([-80, 0, 0]) spacers();
  }
  if (part == "plate") camera_plate();
  if (part == "spacers") spacers();
  if (part == "foot") foot();
  if (part == "elbow") elbow();
}
