// Follows what leads to what: modules and files of a build.

/**
 * @template Node
 * @param {Iterable<Node>} beginnings
 * @param {(node: Node, from: Node | undefined) => Iterable<Node>} next what a node leads to; `from` is where it was first met
 * @returns {Set<Node>} the beginnings and all that they lead to, in the order in which it was met
 */
export function reachedFrom(beginnings, next) {
  const reached = new Set();
  const follow = (node, from) => {
    if (reached.has(node)) return;
    reached.add(node);
    for (const further of next(node, from)) follow(further, node);
  };
  for (const beginning of beginnings) follow(beginning);
  return reached;
}
