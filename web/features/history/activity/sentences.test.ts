import { describe, expect, it } from 'vitest';
import { groupActions } from './actions.ts';
import type { Entry, Subject } from './schema.ts';
import { sentenceOf } from './sentences.ts';

const nobody: Subject = {
  actor: 'Martha Gbowee',
  person: null,
  site: null,
  client: null,
  starts_at: null,
  timezone: null,
  name: null,
};

const shift = {
  ...nobody,
  site: 'Freeport Gate',
  starts_at: '2031-11-30T18:00:00Z',
  timezone: 'Africa/Monrovia',
};
const guarded = { ...shift, person: 'Trokon Goll' };

let count = 0;
function entry(table_name: string, action: Entry['action'], values: Partial<Entry> = {}): Entry {
  count += 1;
  return {
    id: String(count),
    at: '2031-11-20T10:00:00Z',
    actor_id: 'martha',
    actor_email: 'martha@example.com',
    action,
    table_name,
    row_id: `row ${count}`,
    old_values: null,
    new_values: null,
    cause: 7,
    ...values,
  };
}

const moved = { start_time: '2031-11-30T19:00:00Z' };

describe('a sentence', () => {
  it.each([
    [
      'moves a shift',
      entry('shifts', 'update', { new_values: moved }),
      shift,
      'Martha Gbowee moved the shift of Nov 30, 2031 at Freeport Gate to 7:00 PM',
    ],
    [
      'says who got a notice',
      entry('notices', 'insert', { actor_email: null }),
      { ...nobody, actor: null, person: 'Trokon Goll', name: '4 seats are empty: Freeport Gate' },
      'The system notified Trokon Goll: 4 seats are empty: Freeport Gate',
    ],
    [
      'names an assigned guard',
      entry('assignments', 'insert'),
      guarded,
      'Martha Gbowee assigned Trokon Goll to the shift of Nov 30, 2031 at Freeport Gate',
    ],
    [
      'names a guard who is taken off',
      entry('assignments', 'delete'),
      guarded,
      'Martha Gbowee took Trokon Goll off the shift of Nov 30, 2031 at Freeport Gate',
    ],
    [
      'says a status in its words',
      entry('assignments', 'update', { new_values: { status: 'confirmed' } }),
      guarded,
      'Martha Gbowee set Trokon Goll’s shift of Nov 30, 2031 at Freeport Gate to confirmed',
    ],
    [
      'says who did not come',
      entry('assignments', 'update', { new_values: { status: 'no_show' } }),
      guarded,
      'Martha Gbowee marked Trokon Goll as a no-show on the shift of Nov 30, 2031 at Freeport Gate',
    ],
    [
      'says that a guard clocked in',
      entry('attendance', 'insert', { new_values: { clock_in_at: '2031-11-30T17:55:00Z' } }),
      { ...guarded, actor: 'Trokon Goll' },
      'Trokon Goll clocked in to the shift of Nov 30, 2031 at Freeport Gate',
    ],
    [
      'says that a guard clocked out',
      entry('attendance', 'update', { new_values: { clock_out_at: '2031-12-01T06:01:00Z' } }),
      { ...guarded, actor: 'Trokon Goll' },
      'Trokon Goll clocked out of the shift of Nov 30, 2031 at Freeport Gate',
    ],
    [
      'says that a guard confirmed',
      entry('assignments', 'update', { new_values: { status: 'confirmed' } }),
      { ...guarded, actor: 'Trokon Goll' },
      'Trokon Goll confirmed the shift of Nov 30, 2031 at Freeport Gate',
    ],
    [
      'says that a guard asked for help',
      entry('sos_events', 'insert'),
      { ...nobody, actor: 'Trokon Goll', person: 'Trokon Goll', site: 'Freeport Gate' },
      'Trokon Goll sent an SOS at Freeport Gate',
    ],
    [
      'has nobody’s name twice',
      entry('leave_requests', 'insert'),
      { ...nobody, actor: 'Musu Flomo', person: 'Musu Flomo' },
      'Musu Flomo added their leave request',
    ],
    [
      'says who entered the times of another',
      entry('attendance', 'insert'),
      guarded,
      'Martha Gbowee added Trokon Goll’s attendance of Nov 30, 2031 at Freeport Gate',
    ],
    [
      'names a record',
      entry('clients', 'insert'),
      { ...nobody, name: 'US Embassy' },
      'Martha Gbowee added the client US Embassy',
    ],
    [
      'names what changed',
      entry('clients', 'update', {
        old_values: { location: 'Vai Town' },
        new_values: { location: 'Bushrod' },
      }),
      { ...nobody, name: 'US Embassy' },
      'Martha Gbowee changed location of the client US Embassy',
    ],
    [
      'says whose record it is',
      entry('leave_requests', 'insert'),
      { ...nobody, person: 'Musu Flomo' },
      'Martha Gbowee added Musu Flomo’s leave request',
    ],
    [
      'is about the system without a person',
      entry('posts', 'delete', { actor_email: null }),
      { ...nobody, actor: null, name: 'Gate' },
      'The system deleted the post Gate',
    ],
  ] as const)('%s', (_, of, subject, text) => {
    expect(sentenceOf(of, subject)).toBe(text);
  });

  it('has no raw range, id or time', () => {
    const period = '["2031-11-30 18:00:00+00","2031-12-01 06:00:00+00")';
    const changed = entry('assignments', 'update', {
      old_values: { period },
      new_values: { period },
    });
    expect(sentenceOf(changed, guarded)).toBe(
      'Martha Gbowee changed time of Trokon Goll’s shift of Nov 30, 2031 at Freeport Gate',
    );
  });
});

describe('what one action caused', () => {
  const notice = entry('notices', 'insert');
  const seat = entry('assignments', 'update', { new_values: { period: '' } });
  const lead = entry('shifts', 'update', { new_values: moved });
  const subjects = new Map<string, Subject>([
    [lead.id, shift],
    [seat.id, guarded],
  ]);

  it('is one row, led by the moved shift, with its guard', () => {
    const [action, ...further] = groupActions([notice, seat, lead], subjects);
    expect(further).toEqual([]);
    expect(action?.sentence).toBe(
      'Martha Gbowee moved Trokon Goll’s shift of Nov 30, 2031 at Freeport Gate to 7:00 PM',
    );
    expect(action?.caused).toEqual([notice, seat]);
  });

  it('is led by what was done, and not by the alert that closed or the call before it', () => {
    const alert = entry('alerts', 'update', { new_values: { outcome: 'covered' } });
    const call = entry('replacement_calls', 'insert');
    const pressed = entry('clock_events', 'insert');
    const came = entry('attendance', 'insert');
    expect(groupActions([came, pressed], new Map())[0]?.main).toBe(came);
    const assigned = entry('assignments', 'insert');
    const seats = new Map<string, Subject>([[assigned.id, guarded]]);
    const [action] = groupActions([assigned, call, alert], seats);
    expect(action?.main).toBe(assigned);
    const [alone] = groupActions([call, alert], seats);
    expect(alone?.main).toBe(alert);
  });

  it('is apart from other transactions, other people, other times and entries before causes', () => {
    const others = [
      entry('clients', 'insert', { cause: 8 }),
      entry('clients', 'insert', { actor_id: 'moses' }),
      entry('clients', 'insert', { at: '2031-11-20T09:00:00Z' }),
      entry('clients', 'insert', { cause: null }),
      entry('clients', 'insert', { cause: null }),
    ];
    expect(groupActions([lead, ...others], subjects)).toHaveLength(6);
  });
});
