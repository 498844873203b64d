/* SPDX-License-Identifier: GPL-2.0-or-later
 * Opens a plug-in, calls it and closes it; then opens another one, which takes its place: plugins ONE TWO. */
#include <dlfcn.h>
#include <stdio.h>

static int ask(const char* path, void** place) {
  void* const plugin = dlopen(path, RTLD_LAZY);
  if (!plugin) return fprintf(stderr, "%s\n", dlerror()), -1;
  int (*answer)(int) = (int (*)(int))dlsym(plugin, "answer");
  const int said = answer(-40);
  *place = (void*)answer;
  dlclose(plugin);
  return said;
}

int main(int argc, char** argv) {
  void *one = NULL, *two = NULL;
  if (argc != 3) return 2;
  printf("%d\n", ask(argv[1], &one));
  printf("%d\n", ask(argv[2], &two));
  printf("the same place: %s\n", one == two ? "yes" : "no");
  return 0;
}
