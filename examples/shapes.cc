// SPDX-License-Identifier: GPL-2.0-or-later
// Containers and templates: what the library does for the program counts at the program's lines. See shapes.md.
#include <cstdio>
#include <vector>

template <typename Number>
struct Box {
  Number width, height;
  Number area() const { return width * height; }
};

template <typename Number>
static Number total(const std::vector<Box<Number>>& boxes) {
  Number sum = 0;
  for (const Box<Number>& box : boxes) sum += box.area();
  return sum;
}

template <typename Number>
static void grow(std::vector<Box<Number>>& boxes, Number by) {
  for (Box<Number>& box : boxes) box.width += by;
}

int main() {
  std::vector<Box<int>> whole;
  for (int i = 1; i <= 8; i++) whole.push_back({i, 2});
  std::vector<Box<double>> halves;
  for (const Box<int>& box : whole) halves.push_back({box.width / 2.0, 1.0});
  grow(whole, 1);
  grow(halves, 0.5);
  std::printf("%d and %g\n", total(whole), total(halves));
}
