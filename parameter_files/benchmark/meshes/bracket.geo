// An angle bracket of aluminium with a hole and a rubber sole, in mm. The files
// beside this one:
//   gmsh bracket.geo -3 -format msh41 -o bracket.msh
//   gmsh bracket.geo -3 -format msh22 -o bracket_2.2.msh
//   gmsh bracket.geo -3 -format inp   -o bracket.inp

// Corners of the sole, the foot, and the upright below the hole.
Point(1) = { 0, 0, 0};  Point(2) = {24, 0, 0};  Point(3) = {72, 0, 0};
Point(4) = { 0, 6, 0};  Point(5) = {24, 6, 0};  Point(6) = {72, 6, 0};
Point(7) = { 0, 18, 0}; Point(8) = {24, 18, 0}; Point(9) = {72, 18, 0};
// The square around the hole, the hole and its middle.
Point(10) = { 0, 32, 0}; Point(11) = {24, 32, 0};
Point(12) = {24, 56, 0}; Point(13) = { 0, 56, 0};
r = 6 / Sqrt(2);
Point(14) = {12 - r, 44 - r, 0}; Point(15) = {12 + r, 44 - r, 0};
Point(16) = {12 + r, 44 + r, 0}; Point(17) = {12 - r, 44 + r, 0};
Point(18) = {12, 44, 0};

Line(1) = {1, 2};  Line(2) = {2, 3};
Line(3) = {4, 5};  Line(4) = {5, 6};
Line(5) = {7, 8};  Line(6) = {8, 9};
Line(7) = {1, 4};  Line(8) = {2, 5};  Line(9) = {3, 6};
Line(10) = {4, 7}; Line(11) = {5, 8}; Line(12) = {6, 9};
Line(13) = {7, 10}; Line(14) = {8, 11};
Line(15) = {10, 11}; Line(16) = {11, 12}; Line(17) = {12, 13}; Line(18) = {13, 10};
Circle(19) = {14, 18, 15}; Circle(20) = {15, 18, 16};
Circle(21) = {16, 18, 17}; Circle(22) = {17, 18, 14};
Line(23) = {10, 14}; Line(24) = {11, 15}; Line(25) = {12, 16}; Line(26) = {13, 17};

Transfinite Curve {1, 3, 5, 15, 17, 19, 21} = 5;
Transfinite Curve {16, 18, 20, 22} = 5;
Transfinite Curve {2, 4, 6} = 8;
Transfinite Curve {7, 8, 9} = 2;
Transfinite Curve {10, 11, 12} = 3;
Transfinite Curve {13, 14} = 3;
Transfinite Curve {23, 24, 25, 26} = 3;

Curve Loop(1) = {1, 8, -3, -7};     Curve Loop(2) = {2, 9, -4, -8};
Curve Loop(3) = {3, 11, -5, -10};   Curve Loop(4) = {4, 12, -6, -11};
Curve Loop(5) = {5, 14, -15, -13};
Curve Loop(6) = {15, 24, -19, -23}; Curve Loop(7) = {16, 25, -20, -24};
Curve Loop(8) = {17, 26, -21, -25}; Curve Loop(9) = {18, 23, -22, -26};
For i In {1 : 9}
  Plane Surface(i) = {i};
EndFor
Transfinite Surface {1 : 9};
Recombine Surface {1 : 9};

// Hexahedra by extrusion: [0] is the far end, [1] the volume, [2] and after it
// the sides over the curves of the loop.
For i In {1 : 9}
  out[] = Extrude {0, 0, 24} { Surface{i}; Layers{3}; Recombine; };
  volume[i]  = out[1];
  first[i]   = out[2];
  third[i]   = out[4];
EndFor

Physical Volume("sole")   = {volume[1], volume[2]};
Physical Volume("angle")  = {volume[3], volume[4], volume[5], volume[6],
                             volume[7], volume[8], volume[9]};
Physical Surface("bottom") = {first[1], first[2]};
Physical Surface("top")    = {first[8]};
Physical Surface("hole")   = {third[6], third[7], third[8], third[9]};
