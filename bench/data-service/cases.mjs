// The five requests to compare, on the demo company, each as the account that makes it.

const LIST =
  'select=id,site_id,start_time,end_time,required_headcount&order=start_time.desc&limit=200';
const EMBEDDED =
  'select=*,sites!shifts_site_id_fkey(id,name),assignments!assignments_shift_id_fkey(id,status,user_id)&order=start_time.desc&limit=50';

/**
 * @typedef {{ method: string, path: string, prefer?: string, body?: string }} Request
 * @param {string[]} sites ids @param {string[]} deployments ids
 * @returns {{ what: string, goal: number, requests: Request[] }[]} `goal`: minimum fraction of pgbench's throughput
 */
export function casesFor(sites, deployments) {
  const row = {
    guard_name: 'Measured Guard',
    location: 'Old Road',
    shift_start: '2026-01-05T06:00:00Z',
    shift_end: '2026-01-05T18:00:00Z',
  };
  const representation = 'return=representation';
  return [
    { what: 'list, 200 rows', goal: 0.8, requests: [{ method: 'GET', path: `/shifts?${LIST}` }] },
    {
      what: '50 shifts with site and assignments',
      goal: 0.8,
      requests: [{ method: 'GET', path: `/shifts?${EMBEDDED}` }],
    },
    {
      what: 'one small row',
      goal: 0.45,
      requests: sites.map((id) => ({ method: 'GET', path: `/sites?select=id,name&id=eq.${id}` })),
    },
    {
      what: 'insert with representation',
      goal: 0.8,
      requests: [
        { method: 'POST', path: '/deployments', prefer: representation, body: JSON.stringify(row) },
      ],
    },
    {
      what: 'update by id',
      goal: 0.8,
      requests: deployments.map((id) => ({
        method: 'PATCH',
        path: `/deployments?id=eq.${id}`,
        prefer: representation,
        body: JSON.stringify({ notes: 'Measured' }),
      })),
    },
  ];
}

/** @param {{ ask: Function }} measured the server whose rows are requested */
export async function casesOf({ ask }) {
  const ids = async (name) => {
    const text = `select id from public.${name} order by id limit 64`;
    return (await ask('query', { text })).map(({ id }) => id);
  };
  return casesFor(await ids('sites'), await ids('deployments'));
}
