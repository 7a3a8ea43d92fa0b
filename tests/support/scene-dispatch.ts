// Calls and units of the small company: at each site one call, which a unit with one guard answers.
import { guardElsewhere, guardHere, type SiteKey } from './people.ts';
import type { SceneBase } from './scene-rows.ts';

export async function addDispatch({ sites, insert }: SceneBase): Promise<void> {
  for (const [site, member] of [
    ['here', guardHere],
    ['elsewhere', guardElsewhere],
  ] as const satisfies readonly [SiteKey, unknown][]) {
    const assigned = [member.id];
    const call = await insert(
      'service_calls',
      `(site_id, address, gps, kind, priority, answer_due_at, en_route_due_at, on_scene_due_at, state)
       values ($1, 'Monrovia', '6.3,-10.8', 'alarm', 'routine', now() + interval '1 day', now() + interval '1 day',
         now() + interval '1 day', 'assigned')`,
      [sites[site]],
      { assigned, site },
    );
    const unit = await insert(
      'response_units',
      `(call_sign, site_id, state, call_id) values ($1, $2, 'assigned', $3)`,
      [`Rapid ${site}`, sites[site], call],
      { assigned },
    );
    await insert('unit_members', `(unit_id, user_id) values ($1, $2)`, [unit, member.id], {
      owner: member.id,
    });
    await insert('unit_events', `(call_id, kind) values ($1, 'received')`, [call], {
      assigned,
      site,
    });
    const event = await insert(
      'unit_events',
      `(call_id, unit_id, kind) values ($1, $2, 'assigned')`,
      [call, unit],
      { assigned, site },
    );
    await insert(
      'unit_events',
      `(call_id, unit_id, assigned_id, kind) values ($1, $2, $3, 'accepted')`,
      [call, unit, event],
      { assigned, site },
    );
  }
  const panel = await insert(
    'alarm_panels',
    `(name, site_id) values ('Panel of the store', $1)`,
    [sites.here],
    {},
  );
  await insert(
    'panel_events',
    `(panel_id, event_key, signal, body) values ($1, '1', 'note', 'Low battery (302)')`,
    [panel],
    {},
  );
  // A unit that answers nothing, and what happened to it: only for the office.
  const spare = await insert('response_units', `(call_sign) values ('Rapid spare')`, [], {});
  await insert('unit_events', `(unit_id, kind) values ($1, 'in_service')`, [spare], {});
}
