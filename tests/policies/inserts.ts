// The inserts that each person of the policy matrix tries, by table.
import type { TableName } from '#shared/permissions.ts';
import { bystander, type Person, type SiteKey } from '#tests/support/people.ts';
import type { RowFacts } from '#tests/support/permission-expectation.ts';
import type { Scene } from '#tests/support/scene.ts';
import type { Write } from './changes.ts';
import { PLAIN_INSERTS } from './plain-inserts.ts';

export interface InsertTry extends Write {
  facts: RowFacts;
  /** Run by the owner first, to remove conflicting rows. */
  before?: string;
  /** Finds the inserted row where its id couldn't be sent. */
  found: Write;
}

/** One post from 06:00 to 18:00 every day. */
const DAY_SLOT = JSON.stringify([{ slot: 1, day: 0, start: '06:00', minutes: 720, headcount: 1 }]);

const TICKS = JSON.stringify([{ equipment_id: bystander.id, name: 'Radio', has: true }]);

/** Every kind of row that the person tries to insert: for themselves and others, at both sites. */
export function insertsOf(table: TableName, person: Person, scene: Scene): InsertTry[] {
  const id = crypto.randomUUID();
  const found = { sql: `select from ${table} where id = $1`, values: [id] };
  const tryOf = (
    columns: string,
    values: unknown[],
    facts: RowFacts,
    before?: string,
  ): InsertTry => {
    const places = values.map((_, index) => `$${index + 2}`).join(', ');
    const sql = `insert into ${table} (id, ${columns}) values ($1, ${places})`;
    return { sql, values: [id, ...values], facts, found, ...(before ? { before } : {}) };
  };
  /** One for each row that it belongs to, whose id comes first. */
  const ofEach = (parent: 'clients' | 'contracts' | 'invoices', columns: string, rest: unknown[]) =>
    scene.rows[parent].map((row) => tryOf(columns, [row.id, ...rest], {}));
  const plain = PLAIN_INSERTS[table];
  if (plain) {
    const sql = `insert into ${table} (id, ${plain[0]}) values ($1, ${plain[1]})`;
    return [{ sql, values: [id], facts: {}, found }];
  }
  const owners = person.claims === null ? [bystander.id] : [person.id, bystander.id];
  const sites: SiteKey[] = ['here', 'elsewhere'];
  const both = owners.flatMap((owner) => sites.map((site) => ({ owner, site })));
  const incidentOf = ({ owner, site }: RowFacts) =>
    scene.rows.incidents.find((row) => row.owner === owner && row.site === site)?.id;
  const ofIncidents = (columns: string, values: (incidentId: string) => unknown[]) =>
    both.flatMap((facts) => {
      const incident = incidentOf(facts);
      return incident ? [tryOf(columns, [incident, ...values(incident)], facts)] : [];
    });
  switch (table) {
    case 'user_roles':
      return owners.map((owner) =>
        tryOf(
          'user_id, role',
          [owner, owner === bystander.id ? 'hr' : 'ops_manager'],
          { owner },
          `delete from user_roles where role = 'ops_manager' and user_id = '${owner}'`,
        ),
      );
    case 'client_requests':
      return scene.rows.client_contacts
        .filter(({ owner }) => owner === undefined || owner === person.id)
        .map((contact) =>
          tryOf(
            'client_id, contact_id, kind, body',
            [scene.clients[contact.client ?? 'here'], contact.id, 'message', 'New message'],
            contact.client ? { client: contact.client } : {},
          ),
        );
    case 'client_contacts':
      return sites.map((client) =>
        tryOf('client_id, full_name, email', [scene.clients[client], 'New', 'new@client.example'], {
          client,
        }),
      );
    case 'shifts':
      return sites.map((site) =>
        tryOf(
          'site_id, start_time, end_time',
          [scene.sites[site], '2027-01-01T08:00Z', '2027-01-01T16:00Z'],
          { site },
        ),
      );
    case 'assignments':
      return both.map((facts) =>
        tryOf(
          'shift_id, user_id',
          [scene.openShifts[facts.site], facts.owner],
          facts,
          'delete from site_bans; delete from post_courses',
        ),
      );
    case 'attendance':
      return both.flatMap((facts) => {
        const assignment = scene.unattended.get(`${facts.owner} ${facts.site}`);
        if (assignment === undefined) return [];
        return [
          tryOf(
            'assignment_id, clock_in_at, clock_in_gps',
            [assignment, new Date(), '6.3000,-10.8000'],
            facts,
            `update attendance set clock_out_at = now() where user_id = '${facts.owner}' and clock_out_at is null`,
          ),
        ];
      });
    case 'clock_events':
      return both.flatMap((facts) => {
        const assignment = scene.unattended.get(`${facts.owner} ${facts.site}`);
        const attendance = scene.rows.attendance.find(
          (row) => row.owner === facts.owner && row.site === facts.site,
        );
        if (assignment === undefined || attendance === undefined) return [];
        return [
          tryOf(
            'user_id, assignment_id, attendance_id, site_id, kind, device_at, effective_at, hash, chain_intact, clock_off',
            [
              facts.owner,
              assignment,
              attendance.id,
              scene.sites[facts.site],
              'out',
              new Date(),
              new Date(),
              '0'.repeat(64),
              true,
              false,
            ],
            facts,
          ),
        ];
      });
    case 'duty_notices':
      return both.map((facts) =>
        tryOf(
          'user_id, site_id, kind, starts_at, device_at, said_at',
          [facts.owner, scene.sites[facts.site], 'cant_come', 'now', 'now', 'now'],
          facts,
        ),
      );
    case 'devices':
      return sites.map((site) => tryOf('site_id, name', [scene.sites[site], 'New'], { site }));
    case 'clock_exceptions':
      return both.map((facts) =>
        tryOf(
          'site_id, user_id, kind, device_at, reason',
          [scene.sites[facts.site], facts.owner, 'in', new Date(), 'wrong_pin'],
          facts,
        ),
      );
    case 'incidents':
      return both.map((facts) =>
        tryOf(
          'site_id, raised_by_user_id, title, category, severity, description',
          [
            scene.sites[facts.site],
            facts.owner,
            'Smoke seen',
            'fire',
            'high',
            'Smoke was seen behind the store.',
          ],
          facts,
        ),
      );
    case 'incident_letters':
      return ofIncidents('incident_id, addressee, subject, summary, signatory', () => [
        'The client',
        'Broken fence',
        'The fence was broken and is mended.',
        'Me',
      ]);
    case 'report_notes':
      return ofIncidents('incident_id, note', () => ['It was a blue car.']);
    case 'evidence':
      return ofIncidents('incident_id, type, url', (id) => ['image/png', `${id}/2.png`]);
    case 'certifications':
      return owners.map((owner) =>
        tryOf('user_id, course_id, expires_at', [owner, scene.courseId, '2028-01-01'], { owner }),
      );
    case 'pay_accounts':
      return [tryOf('staff_id, channel, account_name', [scene.staffId, 'cash', 'New'], {})];
    case 'leave_requests':
      return owners.map((owner) =>
        tryOf(
          'user_id, type, start_date, end_date, reason',
          [owner, 'sick', '2033-02-01', '2033-02-02', 'Ill'],
          { owner },
        ),
      );
    case 'posts':
      return sites.map((site) => tryOf('site_id, name', [scene.sites[site], 'New'], { site }));
    case 'post_courses':
      return sites.map((site) =>
        tryOf('post_id, course_id', [scene.posts[site], scene.spareCourseId], { site }),
      );
    case 'post_requirements':
      return sites.map((site) =>
        tryOf(
          'post_id, valid_from, valid_to, cycle_days, slots',
          [scene.posts[site], '2029-01-01', '2029-12-31', 1, DAY_SLOT],
          { site },
        ),
      );
    case 'site_bans':
      return sites.map((site) =>
        tryOf('site_id, user_id, reason', [scene.sites[site], person.id || bystander.id, 'New'], {
          site,
        }),
      );
    case 'site_inductions':
      return sites.map((site) =>
        tryOf('site_id, user_id', [scene.sites[site], person.id || bystander.id], { site }),
      );
    case 'timesheets':
      return owners.map((owner) =>
        tryOf('user_id, period_start, period_end', [owner, '2026-08-01', '2026-08-31'], { owner }),
      );
    case 'timesheet_days':
    case 'time_segments':
    case 'time_decisions':
    case 'timesheet_disputes':
      return owners.flatMap((owner) => {
        const sheet = scene.rows.timesheets.find((row) => row.owner === owner);
        const attendance = scene.rows.attendance.find((row) => row.owner === owner);
        if (sheet === undefined || attendance === undefined) return [];
        const facts = { owner, ...(sheet.site && { site: sheet.site }) };
        if (table === 'timesheet_disputes') {
          return [tryOf('timesheet_id, day, note', [sheet.id, '2026-09-03', 'I worked.'], facts)];
        }
        if (table === 'time_decisions') {
          return [
            tryOf(
              'attendance_id, user_id, site_id, kind, approved',
              [attendance.id, owner, scene.sites[sheet.site ?? 'here'], 'overtime', true],
              facts,
            ),
          ];
        }
        if (table === 'timesheet_days') {
          return [
            tryOf(
              'timesheet_id, user_id, day, planned_minutes, worked_minutes, paid_minutes, missing_minutes, credited_minutes, issues, explanations',
              [sheet.id, owner, '2026-09-04', 0, 0, 0, 0, 0, [], '[]'],
              facts,
            ),
          ];
        }
        return [
          tryOf(
            'timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, time_rule_id',
            [
              sheet.id,
              owner,
              '2026-09-04',
              '2026-09-04T08:00Z',
              '2026-09-04T09:00Z',
              'regular',
              'worked',
              1,
              scene.rows.time_rules[0]?.id,
            ],
            facts,
          ),
        ];
      });
    case 'availability':
      return owners.map((owner) => tryOf('user_id, kind, weekday', [owner, 'avoid', 6], { owner }));
    case 'offers':
      return owners.flatMap((owner) =>
        both.map((facts) =>
          tryOf(
            'kind, shift_id, user_id, status, site_id',
            ['bid', scene.openShifts[facts.site], owner, 'open', scene.sites[facts.site]],
            { ...facts, owner },
          ),
        ),
      );
    case 'alerts':
      return sites.map((site) =>
        tryOf('kind, cause, site_id', ['sos', `sos:${id}`, scene.sites[site]], { site }),
      );
    case 'equipment':
      return sites.map((site) => tryOf('site_id, name', [scene.sites[site], 'New'], { site }));
    case 'handover_notes':
      return sites.map((site) =>
        tryOf(
          'site_id, user_id, note, written_at',
          [scene.sites[site], person.id || bystander.id, 'New', new Date()],
          { site },
        ),
      );
    case 'handovers':
      return sites.map((site) =>
        tryOf(
          'site_id, user_id, ticks, taken_at',
          [scene.sites[site], person.id || bystander.id, TICKS, new Date()],
          { site },
        ),
      );
    case 'checkpoints':
      return sites.map((site) => tryOf('site_id, name', [scene.sites[site], 'New'], { site }));
    case 'tours':
      return sites.map((site) =>
        tryOf(
          'site_id, name, times, checkpoints',
          [
            scene.sites[site],
            'New',
            ['22:00'],
            scene.rows.checkpoints.filter((row) => row.site === site).map((row) => row.id),
          ],
          { site },
        ),
      );
    case 'checkpoint_scans':
      return both.map((facts) =>
        tryOf(
          'user_id, site_id, code, way, scanned_at, device_at',
          [facts.owner, scene.sites[facts.site], '01', 'typed', new Date(), new Date()],
          facts,
        ),
      );
    case 'post_orders':
      return sites.map((site) =>
        tryOf('site_id, title, body', [scene.sites[site], 'New', 'New'], { site }),
      );
    case 'post_order_readings':
      return both.flatMap((facts) => {
        const order = scene.rows.post_orders.find(({ site }) => site === facts.site)?.id;
        return order
          ? [
              tryOf(
                'order_id, user_id, site_id, read_at',
                [order, facts.owner, scene.sites[facts.site], new Date()],
                facts,
              ),
            ]
          : [];
      });
    case 'room_notes':
      return sites.map((site) => tryOf('body, site_id', ['New', scene.sites[site]], { site }));
    case 'welfare_checks':
      return both.map((facts) =>
        tryOf(
          'assignment_id, shift_id, user_id, site_id, due_at, every_minutes',
          [
            scene.unattended.get(`${bystander.id} here`),
            scene.openShifts[facts.site],
            facts.owner,
            scene.sites[facts.site],
            new Date(),
            60,
          ],
          facts,
        ),
      );
    case 'sos_events':
      return both.map((facts) =>
        tryOf('user_id, site_id', [facts.owner, scene.sites[facts.site]], facts),
      );
    case 'inbound_messages':
      return sites.map((site) =>
        tryOf(
          'provider_id, kind, site_id, outcome',
          [`generic:${id}`, 'text', scene.sites[site], 'no_shift'],
          { site },
        ),
      );
    case 'replacement_calls':
      return both.map((facts) =>
        tryOf(
          'shift_id, user_id, result, site_id',
          [scene.openShifts[facts.site], facts.owner, 'coming', scene.sites[facts.site]],
          facts,
        ),
      );
    case 'saved_views':
      return owners.map((owner) => tryOf('user_id, list', [owner, '/admin/people'], { owner }));
    case 'notices':
      return owners.map((owner) => tryOf('user_id, kind, title', [owner, 'leave', 'N'], { owner }));
    case 'roster_changes':
      return both.map((facts) =>
        tryOf(
          'shift_id, user_id, change',
          [scene.openShifts[facts.site], facts.owner, 'assign'],
          facts,
        ),
      );
    case 'roster_pins':
      return both.map((facts) =>
        tryOf(
          'shift_id, user_id',
          [scene.openShifts[facts.site], facts.owner],
          facts,
          'delete from site_bans',
        ),
      );
    case 'payroll':
      return [
        tryOf(
          'staff_id, period_start, period_end, base_amount',
          [scene.staffId, '2026-11-01', '2026-11-30', 10],
          {},
        ),
      ];
    case 'pay_bases':
      return [tryOf('staff_id, effective_from, amount', [scene.staffId, '2029-01-01', 10], {})];
    case 'pay_items':
      return [
        tryOf('staff_id, kind, name, amount', [scene.staffId, 'allowance', 'Transport', 10], {}),
      ];
    case 'staff_ledger':
      return [tryOf('staff_id, entry, kind, amount', [scene.staffId, 'issue', 'advance', 10], {})];
    case 'payslips':
      return scene.rows.pay_runs.map((run) =>
        tryOf(
          'pay_run_id, staff_id, currency, gross, deductions, net',
          [run.id, scene.staffId, 'USD', 0, 0, 0],
          {},
        ),
      );
    case 'payslip_lines':
      return scene.rows.payslips.map((slip) =>
        tryOf(
          'payslip_id, position, kind, label, amount',
          [slip.id, 2, 'regular', 'Regular', 0],
          {},
        ),
      );
    case 'contracts':
      return ofEach('clients', 'client_id, title, starts_on', ['New', '2031-01-01']);
    case 'contract_posts':
      return scene.rows.contracts.map((contract) =>
        tryOf('contract_id, site_id, starts_on', [contract.id, scene.billedSite, '2031-01-01'], {}),
      );
    case 'rates':
      return ofEach('contracts', 'contract_id, amount, effective_from', [3.5, '2031-01-01']);
    case 'vat_exemptions':
      return ofEach('clients', 'client_id, certificate, valid_from', ['New', '2080-01-01']);
    case 'invoice_lines':
      return ofEach('invoices', 'invoice_id, description, rate', ['New', 10]);
    default:
      throw new Error(`Nothing to insert into ${table}.`);
  }
}
