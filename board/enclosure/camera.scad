// A plate that holds a Camera Module 1, 2 or 3 at the end of a wooden bar of 20 mm, looking straight down.
// The module's holes are 21 x 12.5 mm apart (Raspberry Pi's drawings). Not printed yet by us.
part = "whole";

thick = 3;
module_holes = [21, 12.5];
m2 = 2.2;
window = 14;          // round the lens and its housing
bar = 20;
bar_screw = 3.5;
bar_screws = 20;      // apart
wide = 36;
long = 74;
rib = 4;              // on both sides of the bar: the plate cannot turn
$fn = 48;

module plate() {
  difference() {
    translate([-wide / 2, -18]) linear_extrude(thick) offset(4) offset(-4) square([wide, long]);
    for (x = [-1, 1], y = [0, 1])
      translate([x * module_holes[0] / 2, y * module_holes[1], -1]) cylinder(d = m2, h = thick + 2);
    translate([0, 0, -1]) cylinder(d = window, h = thick + 2);
    for (n = [0, 1]) translate([0, 28 + n * bar_screws, -1]) cylinder(d = bar_screw, h = thick + 2);
  }
  for (side = [-1, 1])
    translate([side * (bar + rib + 0.4) / 2 - rib / 2, 22, 0]) cube([rib, long - 18 - 22 - 4, thick + 8]);
}

plate();
