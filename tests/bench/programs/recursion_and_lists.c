/* SPDX-License-Identifier: GPL-2.0-or-later
 * recursion_and_lists -n NODES -r ROUNDS: calls that do little, a search tree of that many nodes, and a linked list
 * that is sorted by merging. Irregular: calls, allocation, pointers. Right if the numbers come out in order and none is
 * lost. */
#include "tests/bench/programs/kernel.h"

struct node {
  uint32_t number;
  struct node *left, *right; /* in a list: right is the next */
};

static uint32_t random_state = 1;

static uint32_t random_number(void) { return random_state = random_state * UINT32_C(1664525) + UINT32_C(1013904223); }

static long nfib(int n) { return n < 2 ? 1 : nfib(n - 1) + nfib(n - 2) + 1; }

static struct node* insert(struct node* tree, uint32_t number) {
  if (!tree) {
    tree = calloc(1, sizeof *tree);
    tree->number = number;
  } else if (number < tree->number) {
    tree->left = insert(tree->left, number);
  } else {
    tree->right = insert(tree->right, number);
  }
  return tree;
}

/* In front of `list`, from the largest number on: the list's order is the tree's. */
static struct node* in_order(const struct node* tree, struct node* list) {
  if (!tree) return list;
  struct node* const node = malloc(sizeof *node);
  node->number = tree->number;
  node->right = in_order(tree->right, list);
  return in_order(tree->left, node);
}

static struct node* merge(struct node* a, struct node* b) {
  struct node head, *last = &head;
  while (a && b) {
    struct node** const least = a->number <= b->number ? &a : &b;
    last->right = *least;
    last = *least;
    *least = last->right;
  }
  last->right = a ? a : b;
  return head.right;
}

static struct node* sort(struct node* list, size_t length) {
  if (length < 2) return list;
  struct node* middle = list;
  for (size_t i = 1; i < length / 2; i++) middle = middle->right;
  struct node* const rest = middle->right;
  middle->right = NULL;
  return merge(sort(list, length / 2), sort(rest, length - length / 2));
}

static void free_tree(struct node* tree) {
  if (!tree) return;
  free_tree(tree->left);
  free_tree(tree->right);
  free(tree);
}

static int round_is_right(size_t n) {
  struct node *tree = NULL, *list = NULL;
  for (size_t i = 0; i < n; i++) {
    struct node* const node = malloc(sizeof *node);
    node->number = random_number() >> 8;
    node->right = list;
    list = node;
    tree = insert(tree, node->number);
  }
  list = sort(list, n);
  struct node* other = in_order(tree, NULL);
  free_tree(tree);
  size_t equal = 0;
  while (list && other && list->number == other->number) {
    struct node* const rest[] = {list->right, other->right};
    free(list);
    free(other);
    list = rest[0];
    other = rest[1];
    equal++;
  }
  return equal == n && !list && !other;
}

int main(int argc, char** argv) {
  begin_alone(argc, argv, "recursion_and_lists", 20000);
  int right = 1;
  for (long round = 0; round < kernel.rounds; round++) right &= nfib(22) == 57313 && round_is_right(kernel.size);
  return finish(right, random_state);
}
