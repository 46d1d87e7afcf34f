// The dice tray: floor, walls, a rail with its bevel, a shelf of six pockets, corners for the printed tags.
// part: "whole" to look at, "left_front", "right_front", "left_back", "right_back" to print on a bed of 220 mm.
// Not yet printed.
include <common.scad>

part = "whole";

floor = 4;            // under the felt
felt = 1.5;           // matt, dark, glued in; its upper side is the floor that the program knows
rim = 2;              // radius of the walls' upper edges
bevel = 8;            // the rail's slope on the throw side: a die rolls back and does not tilt on it
rib = 1.2;            // walls of the pockets, low enough for fingers
rib_height = 3;
pad = tray_tag + 2 * tray_tag_border;
pin = 3.2;            // for pins of 3 mm (nails, filament) that hold the four parts in line
pin_depth = 8;
$fn = 48;

outer = tray_inner / 2 + tray_wall;
top = tray_wall_height;
low = -felt - floor;

module body() {
  difference() {
    union() {
      translate([-outer, -outer, low]) rounded(2 * outer, 2 * outer, top - low);
      // plates for the tags
      for (at = tray_tags_at) translate([at[0] - pad / 2, at[1] - pad / 2, low])
        rounded(pad, pad, top + tray_tag_plate - low);
    }
    translate([-tray_inner / 2, -tray_inner / 2, -felt]) cube([tray_inner, tray_inner, top + tray_tag_plate + felt + 1]);
  }
}

module rounded(wide, deep, high) {
  translate([rim, rim, 0]) linear_extrude(high) offset(rim) square([wide - 2 * rim, deep - 2 * rim]);
}

// The rail stands on the floor, upright to the shelf, with a slope to the throw area.
module rail() {
  y0 = tray_rail_y - tray_rail / 2;
  translate([-tray_inner / 2, y0, 0]) rotate([90, 0, 90]) linear_extrude(tray_inner)
    polygon([[0, -felt], [0, tray_rail_height], [tray_rail, tray_rail_height], [tray_rail + bevel, 0], [tray_rail + bevel, -felt]]);
}

// Frames for one die each, without a floor, so a die in a pocket is as high as one in the throw area.
module pockets() {
  for (at = tray_pockets_at) translate([at[0], at[1], -felt]) linear_extrude(rib_height + felt) difference() {
    square(tray_pocket + 2 * rib, center = true);
    square(tray_pocket, center = true);
    square([tray_pocket / 2, tray_pocket + 4 * rib], center = true); // for fingers, and to wipe dust out
  }
}

module tray() {
  body();
  rail();
  pockets();
}

module pins() {
  middle = tray_inner / 2 + tray_wall / 2;
  for (side = [-1, 1], z = [low + 4, top - 8]) {
    translate([0, side * middle, z]) rotate([0, 90, 0]) cylinder(d = pin, h = 2 * pin_depth, center = true);
    translate([side * middle, 0, z]) rotate([90, 0, 0]) cylinder(d = pin, h = 2 * pin_depth, center = true);
  }
}

module quarter(x, y) {
  size = 2 * outer + 2 * pad;
  difference() {
    intersection() {
      tray();
      translate([x < 0 ? -size : 0, y < 0 ? -size : 0, low - 1]) cube([size, size, top + tray_tag_plate - low + 2]);
    }
    pins();
  }
}

made() {
  if (part == "whole") tray();
  if (part == "left_front") quarter(-1, -1);
  if (part == "right_front") quarter(1, -1);
  if (part == "left_back") quarter(-1, 1);
  if (part == "right_back") quarter(1, 1);
}
