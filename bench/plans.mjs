// Reads PostgreSQL plans: sequential scans of large tables, and rows read but discarded.

/** Minimum rows for a sequential scan to be reported. */
const LARGE = 2_000;

function* nodes(plan) {
  yield plan;
  for (const child of plan.Plans ?? []) yield* nodes(child);
}

/** @returns {number} rows a scan read, over all its loops */
function rowsLookedAt(node) {
  const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return rows * (node['Actual Loops'] ?? 1);
}

/**
 * @param {object} plan of `explain (analyze, format json)`
 * @returns {string[]} large tables that a sequential scan read
 */
export function wholeTables(plan) {
  const scans = [...nodes(plan)].filter(
    (node) => node['Node Type'] === 'Seq Scan' && rowsLookedAt(node) >= LARGE,
  );
  return [...new Set(scans.map((node) => node['Relation Name']))];
}

/**
 * @param {object} plan of `explain (analyze, format json)`
 * @returns {number} rows read but filtered out; a large figure grows as years of data accumulate
 */
export function droppedRows(plan) {
  const dropped = [...nodes(plan)].map(
    (node) => (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1),
  );
  return dropped.reduce((sum, rows) => sum + rows, 0);
}
