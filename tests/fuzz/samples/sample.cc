// SPDX-License-Identifier: GPL-2.0-or-later
// The same in C++: namespaces, templates, members, type units.
namespace outer {
namespace {
int hidden = 3;
}
template <class T, int n>
struct Array {
  T items[n];
  static int made;
  T& at(int i) { return items[i % n]; }
};
template <class T, int n>
int Array<T, n>::made = 0;
enum class Color : char { kRed, kBlue };
struct Shape {
  Array<long, 4> sizes;
  Color color;
  inline int area(int i) { return static_cast<int>(sizes.at(i) * hidden); }
};
Shape shapes[2];
int area_of(Shape& s, int i) { return i > 3 ? s.area(i) : s.area(0) + Array<long, 4>::made++; }
}  // namespace outer
