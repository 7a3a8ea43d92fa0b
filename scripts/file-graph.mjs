// Walks the graph of a build's modules or files.

/**
 * @template Node
 * @param {Iterable<Node>} beginnings
 * @param {(node: Node, from: Node | undefined) => Iterable<Node>} next the node's successors; `from` is the node it was first reached from
 * @returns {Set<Node>} the start nodes and everything reachable, in depth-first order
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
