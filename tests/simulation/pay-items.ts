// Severance and thirteenth month by rules: finance enters daily what is due, the admin decides it, and sometimes rejects one.
import { Random } from '#demo/random.ts';
import { addDays, instantOf } from './clock.ts';
import { accepted, refusalOf } from './door.ts';
import type { Invariant } from './invariant.ts';
import type { World } from './world.ts';

const KINDS = ['severance', 'thirteenth_month'] as const;
const REJECTS = 0.05;

export const PAY_ITEMS: readonly Invariant[] = [
  {
    name: 'severance and thirteenth months are entered once, as the rules of their days give them',
    // The regular week has 48 hours and six shifts. Who has had one rejected is owed it by nobody's count.
    sql: `
      with due as (
        select s.id as staff, 'severance' as kind, 0 as year, s.end_date as last, r.months * m.months / 12.0 as share
        from staff s
        cross join lateral (select * from pay_item_rules r where r.kind = 'severance' and r.effective_from <= s.end_date
          order by r.effective_from desc limit 1) r
        cross join lateral (select extract(year from a) * 12 + extract(month from a) as months
          from age((s.end_date + 1)::timestamp, s.hire_date::timestamp) a) m
        where m.months >= greatest(r.least_service_months, 1)
        union all
        select s.id, 'thirteenth_month', extract(year from y.last)::int, d.last,
          r.months * (d.last - d.first + 1) / (y.last - y.first + 1)
        from pay_item_rules r
        cross join lateral (
          select make_date(y, 1, 1) as first, make_date(y, 12, 31) as last, make_date(y, r.paid_in, 1) as paid
          from (select extract(year from current_date)::int - (extract(month from current_date) < r.paid_in)::int as y) v
        ) y
        join staff s on s.hire_date <= y.last and coalesce(s.end_date, y.last) >= y.first
          and (s.status = 'active' or s.end_date is not null)
        cross join lateral (select greatest(s.hire_date, y.first) as first, least(s.end_date, y.last) as last) d
        where r.kind = 'thirteenth_month' and r.effective_from < y.paid + interval '1 month'
          and d.last - d.first >= 0
      ), owed as (
        select d.staff, d.kind, d.year, round(round(b.amount * case b.basis
            when 'salary' then case b.payment_frequency when 'weekly' then 52 when 'bi-weekly' then 26 else 12 end
            when 'shift' then 6 * 52 else 48 * 52 end / 12.0, 2) * d.share, 2) as amount
        from due d cross join lateral (
          select * from pay_bases b where b.staff_id = d.staff
          order by b.effective_from <= d.last desc, abs(b.effective_from - d.last) limit 1
        ) b
      ), entered as (
        select a.staff_id as staff, a.kind, case a.kind when 'severance' then 0 else extract(year from a.period_end)::int end as year,
          sum(a.amount) filter (where a.status <> 'superseded') as amount, bool_or(a.status = 'rejected') as is_rejected
        from pay_adjustments a where a.kind in ('severance', 'thirteenth_month') group by 1, 2, 3
      )
      select o.staff, o.kind, o.year, o.amount, e.amount as entered from owed o
      full join entered e on e.staff = o.staff and e.kind = o.kind and e.year = o.year
      where not coalesce(e.is_rejected, false) and abs(coalesce(o.amount, 0) - coalesce(e.amount, 0)) > 0.01
        and (o.year is not null or e.kind = 'severance')`,
  },
];

/** Thirteenth months are paid in the month after the company has opened. */
async function addRules({ company }: World): Promise<undefined> {
  const { opensOn, finance } = company;
  const { client } = finance;
  const common = { effective_from: opensOn, months: 1, source: 'Collective agreement, article 12' };
  const paid_in = Number(addDays(opensOn, 28).slice(5, 7));
  accepted(await client.from('pay_item_rules').insert({ ...common, kind: 'severance' }));
  accepted(
    await client.from('pay_item_rules').insert({ ...common, kind: 'thirteenth_month', paid_in }),
  );
}

async function enter({ company }: World): Promise<string> {
  const { client } = company.finance;
  let entered = 0;
  // The second press finds nothing.
  for (const p_kind of [...KINDS, ...KINDS])
    entered += accepted(await client.rpc('enter_pay_items', { p_kind })).data ?? 0;
  return `${entered} entered`;
}

async function reject({ company }: World): Promise<string | undefined> {
  const { client } = company.admin;
  const { data } = accepted(
    await client
      .from('pay_adjustments')
      .select('id, staff:staff!inner(full_name)')
      .in('kind', [...KINDS])
      .eq('status', 'to_decide')
      .order('staff(full_name)')
      .order('kind'),
  );
  const [first] = data ?? [];
  if (!first) return 'none waits';
  return (
    (await refusalOf(async () =>
      accepted(
        await client.rpc('decide_adjustments', {
          ...{ p_ids: [first.id], p_approve: false, p_note: 'Not by contract' },
        }),
      ),
    )) ?? first.staff.full_name
  );
}

export function planPayItems(world: World, day: string): void {
  const { agenda, company, size } = world;
  const random = new Random(`simulation/${size.seed}/pay items/${day}`);
  if (day === addDays(company.opensOn, 1))
    agenda.add(instantOf(day, '09:20'), 'finance adds the rules of pay items', () =>
      addRules(world),
    );
  if (random.chance(REJECTS))
    agenda.add(instantOf(day, '11:45'), 'the admin rejects a pay item', () => reject(world));
  agenda.add(instantOf(day, '17:50'), 'finance enters pay items that are due', () => enter(world));
}
