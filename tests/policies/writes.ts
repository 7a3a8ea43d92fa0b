// The inserts and updates that each person of the policy matrix tries, by table.
import type { TableName } from '#shared/permissions.ts';
import { bystander, type Person, type SiteKey } from '#tests/support/people.ts';
import type { RowFacts } from '#tests/support/permission-expectation.ts';
import type { Scene } from '#tests/support/scene.ts';

export interface Write {
  sql: string;
  values: unknown[];
}

export interface InsertTry extends Write {
  facts: RowFacts;
  /** Run by the owner first, to remove conflicting rows. */
  before?: string;
  /** Finds the inserted row where its id couldn't be sent. */
  found: Write;
}

/** A change of one harmless column; own leave is cancelled, others' leave is rejected. */
export function changeOf(
  table: TableName,
  row: { id: string; owner?: string },
  person: Person,
): Write {
  const set: Record<TableName, string> = {
    profiles: `full_name = 'Changed'`,
    user_roles: `role = 'guard'`,
    clients: `location = 'Changed'`,
    client_contacts: `phone = '0770'`,
    client_requests: `body = 'Changed'`,
    sites: `address = 'Changed'`,
    shifts: `notes = 'Changed'`,
    assignments: `role_at_shift = 'Changed'`,
    attendance: `clock_out_at = now(), clock_out_gps = '6.3000,-10.8000'`,
    clock_events: `kind = 'out'`,
    devices: `name = 'Changed'`,
    clock_exceptions: `closed_at = now()`,
    incidents: `status = 'investigating'`,
    incident_updates: `to_status = 'closed'`,
    incident_reviews: `decision = 'accepted'`,
    incident_escalations: `level = 3`,
    incident_goals: `name = 'Changed'`,
    incident_letters: `summary = 'Changed after it was sent.'`,
    letter_acknowledgements: `contact_name = 'Changed'`,
    incident_notes: `note = 'Changed'`,
    report_notes: `note = 'Changed'`,
    evidence: `type = 'Changed'`,
    training_courses: `description = 'Changed'`,
    certifications: `certificate_number = 'Changed'`,
    leave_requests: row.owner === person.id ? `status = 'cancelled'` : `status = 'rejected'`,
    deployments: `notes = 'Changed'`,
    financial_statements: `notes = 'Changed'`,
    expense_reports: `notes = 'Changed'`,
    bank_accounts: `notes = 'Changed'`,
    loans: `notes = 'Changed'`,
    staff: `phone = '0770'`,
    payroll: `notes = 'Changed'`,
    pay_rates: `source = 'Changed'`,
    rate_proposals: `source = 'Changed'`,
    time_rules: `name = 'Changed'`,
    company_holidays: `name = 'Changed'`,
    timesheets: `note = 'Changed'`,
    timesheet_days: `paid_minutes = 0`,
    time_segments: `class = 'unpaid'`,
    time_decisions: `note = 'Changed'`,
    timesheet_disputes: `note = 'Changed'`,
    pay_adjustments: `note = 'Changed'`,
    pay_accounts: `account_name = 'Changed'`,
    payment_formats: `company_text = 'Changed'`,
    payments: `blocked = 'Changed'`,
    payment_files: `number = 9`,
    pay_bases: `amount = 151`,
    pay_items: `name = 'Changed'`,
    pay_runs: `lrd_per_usd = 201`,
    payslips: `published_at = now()`,
    payslip_lines: `label = 'Changed'`,
    staff_ledger: `note = 'Changed'`,
    contracts: `notes = 'Changed'`,
    contract_posts: `ends_on = '2030-12-31'`,
    rates: `amount = 4`,
    tax_rates: `source = 'Changed'`,
    billed_time: `waived_reason = 'Changed'`,
    invoices: `note = 'Changed'`,
    invoice_lines: `description = 'Changed'`,
    credit_notes: `reason = 'Changed'`,
    credit_note_lines: `amount = 1`,
    receipts: `note = 'Changed'`,
    receipt_allocations: `amount = 1`,
    invoice_mails: `mailed_at = now()`,
    book_closings: `closed_to = '2022-01-31'`,
    chart_of_accounts: `name = 'Changed'`,
    posts: `notes = 'Changed'`,
    post_courses: `course_id = course_id`,
    post_requirements: `preset = 'Changed'`,
    public_holidays: `name = 'Changed'`,
    rule_sets: `name = 'Changed'`,
    site_bans: `reason = 'Changed'`,
    site_inductions: `inducted_on = '2026-01-01'`,
    availability: `note = 'Changed'`,
    roster_changes: `override_reason = 'Changed'`,
    roster_pins: `created_at = now()`,
    roster_periods: `state = 'published'`,
    notices: `read_at = now()`,
    alerts: `detail = 'Changed'`,
    room_notes: `is_pinned = not is_pinned`,
    welfare_checks: `answered_at = now(), received_at = now(), way = 'phone'`,
    sos_events: `cancelled_at = now()`,
    inbound_messages: `handled_at = now()`,
    offers: `status = 'approved'`,
    post_orders: `body = 'Changed'`,
    checkpoints: `name = 'Changed'`,
    handover_notes: `note = 'Changed'`,
    equipment: `name = 'Changed'`,
    handovers: `taken_at = now()`,
    tours: `name = 'Changed'`,
    checkpoint_scans: `way = 'nfc'`,
    post_order_readings: `read_at = now()`,
    replacement_calls: `result = 'coming'`,
    contact_messages: `state = 'answered'`,
    retention_rules: `days = max_days`,
    audit_log: `actor_email = 'Changed'`,
  };
  return { sql: `update ${table} set ${set[table]} where id = $1`, values: [row.id] };
}

/** One post from 06:00 to 18:00 every day. */
const DAY_SLOT = JSON.stringify([{ slot: 1, day: 0, start: '06:00', minutes: 720, headcount: 1 }]);

const TICKS = JSON.stringify([{ equipment_id: bystander.id, name: 'Radio', has: true }]);

const PLAIN: Partial<Record<TableName, [columns: string, values: string]>> = {
  profiles: ['full_name', `'New'`],
  clients: ['name, number_of_guards, monthly_rate, location', `'New', 1, 1, 'New'`],
  sites: ['name, client_name, address', `'New', 'New', 'New'`],
  incident_updates: ['incident_id, from_status, to_status', `gen_random_uuid(), 'open', 'closed'`],
  incident_reviews: ['incident_id, decision', `gen_random_uuid(), 'accepted'`],
  incident_escalations: [
    'incident_id, goal, level, deadline',
    `gen_random_uuid(), 'response', 0, now()`,
  ],
  incident_goals: ['name, effective_from', `'New', '2031-01-01'`],
  incident_notes: ['incident_id, note', `gen_random_uuid(), 'New'`],
  letter_acknowledgements: [
    'letter_id, contact_id, contact_name',
    `gen_random_uuid(), gen_random_uuid(), 'New'`,
  ],
  training_courses: ['title', `'New'`],
  deployments: [
    'guard_name, location, shift_start, shift_end',
    `'New', 'New', now(), now() + interval '1 hour'`,
  ],
  financial_statements: ['title, period_start, period_end', `'New', '2026-01-01', '2026-01-31'`],
  expense_reports: [
    'title, amount, category, expense_date, report_type',
    `'New', 1, 'other', '2026-01-01', 'daily'`,
  ],
  bank_accounts: ['account_number, account_title, bank_name', `'N', 'New', 'New'`],
  loans: ['loan_account_number, account_title, bank_name', `'N', 'New', 'New'`],
  staff: ['full_name, salary_amount', `'New', 1`],
  rate_proposals: ['kind, effective_from, rate, source', `'lrd_per_usd', '2033-01-01', 200, 'New'`],
  pay_rates: ['kind, effective_from, rate, source', `'lrd_per_usd', '2028-01-01', 200, 'New'`],
  payment_formats: ['channel, currency, columns, result_columns', `'cash', 'USD', '[]', '{}'`],
  payment_files: [
    'pay_run_id, number, channel, currency, content, line_count, control_total, sha256',
    `gen_random_uuid(), 2, 'cash', 'USD', '1', 1, 1, repeat('0', 64)`,
  ],
  payments: [
    'payslip_id, pay_run_id, staff_id, currency, amount',
    `gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'USD', 1`,
  ],
  pay_runs: [
    'pay_group, currency, period_start, period_end',
    `'monthly', 'USD', '2029-01-01', '2029-01-31'`,
  ],
  tax_rates: ['name, rate, effective_from', `'New', 0.1, '2031-01-01'`],
  billed_time: [
    'user_id, site_id, span, kind',
    `gen_random_uuid(), gen_random_uuid(), '[2031-01-01,2031-01-02)', 'regular'`,
  ],
  invoices: [
    'contract_id, client_id, period_start, period_end, currency',
    `gen_random_uuid(), gen_random_uuid(), '2027-03-01', '2027-03-31', 'USD'`,
  ],
  credit_notes: [
    'invoice_id, client_id, year, sequence, reason, currency, amount, tax, issued_on',
    `gen_random_uuid(), gen_random_uuid(), 2021, 1, 'New', 'USD', 0, 0, '2021-01-01'`,
  ],
  credit_note_lines: [
    'credit_note_id, invoice_line_id, amount, tax_amount',
    'gen_random_uuid(), gen_random_uuid(), 1, 0',
  ],
  receipts: [
    'client_id, currency, amount, received_on, method',
    `gen_random_uuid(), 'USD', 1, '2026-01-01', 'cash'`,
  ],
  receipt_allocations: [
    'receipt_id, invoice_id, amount',
    'gen_random_uuid(), gen_random_uuid(), 1',
  ],
  invoice_mails: ['invoice_id, email', `gen_random_uuid(), 'n@x.example'`],
  book_closings: ['kind, closed_to', `'close', '2022-01-31'`],
  chart_of_accounts: ['key, code, name', `'bank', '1', 'New'`],
  public_holidays: ['day, name', `'2026-07-26', 'New'`],
  rule_sets: ['name, effective_from', `'New', '2031-01-01'`],
  time_rules: ['name, effective_from', `'New', '2031-01-01'`],
  company_holidays: ['day, name', `'2031-01-02', 'New'`],
  pay_adjustments: [
    'user_id, kind, period_start, period_end, explanation',
    `'${bystander.id}', 'manual', '2026-10-01', '2026-10-31', 'New'`,
  ],
  roster_periods: ['starts_on', `'2031-01-06'`],
  contact_messages: ['name, email, message', `'New', 'n@x.example', 'Please call me back.'`],
  retention_rules: ['kind, days, min_days, max_days, default_days', `'new', 2, 1, 3, 2`],
  audit_log: ['action, table_name, row_id', `'insert', 'sites', gen_random_uuid()`],
};

/** Every kind of row that the person tries to insert: for themselves and others, at both sites. */
export function insertsOf(table: TableName, person: Person, scene: Scene): InsertTry[] {
  const id = crypto.randomUUID();
  const tryOf = (
    columns: string,
    values: unknown[],
    facts: RowFacts,
    before?: string,
  ): InsertTry => {
    const places = values.map((_, index) => `$${index + 2}`).join(', ');
    const sql = `insert into ${table} (id, ${columns}) values ($1, ${places})`;
    const found = { sql: `select from ${table} where id = $1`, values: [id] };
    return { sql, values: [id, ...values], facts, found, ...(before ? { before } : {}) };
  };
  const plain = PLAIN[table];
  if (plain) {
    const sql = `insert into ${table} (id, ${plain[0]}) values ($1, ${plain[1]})`;
    return [
      {
        sql,
        values: [id],
        facts: {},
        found: { sql: `select from ${table} where id = $1`, values: [id] },
      },
    ];
  }
  const owners = person.claims === null ? [bystander.id] : [person.id, bystander.id];
  const sites: SiteKey[] = ['here', 'elsewhere'];
  const both = owners.flatMap((owner) => sites.map((site) => ({ owner, site })));
  const incidentOf = ({ owner, site }: RowFacts) =>
    scene.rows.incidents.find((row) => row.owner === owner && row.site === site)?.id;
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
      return both.flatMap((facts) => {
        const incident = incidentOf(facts);
        return incident
          ? [
              tryOf(
                'incident_id, addressee, subject, summary, signatory',
                [
                  incident,
                  'The client',
                  'Broken fence',
                  'The fence was broken and is mended.',
                  'Me',
                ],
                facts,
              ),
            ]
          : [];
      });
    case 'report_notes':
      return both.flatMap((facts) => {
        const incident = incidentOf(facts);
        return incident
          ? [tryOf('incident_id, note', [incident, 'It was a blue car.'], facts)]
          : [];
      });
    case 'evidence':
      return both.flatMap((facts) => {
        const incident = incidentOf(facts);
        return incident
          ? [tryOf('incident_id, type, url', [incident, 'image/png', `${incident}/2.png`], facts)]
          : [];
      });
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
    case 'notices':
      return owners.map((owner) =>
        tryOf('user_id, kind, title', [owner, 'roster', 'New'], { owner }),
      );
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
      return scene.rows.clients.map((client) =>
        tryOf('client_id, title, starts_on', [client.id, 'New', '2031-01-01'], {}),
      );
    case 'contract_posts':
      return scene.rows.contracts.map((contract) =>
        tryOf('contract_id, site_id, starts_on', [contract.id, scene.billedSite, '2031-01-01'], {}),
      );
    case 'rates':
      return scene.rows.contracts.map((contract) =>
        tryOf('contract_id, amount, effective_from', [contract.id, 3.5, '2031-01-01'], {}),
      );
    case 'invoice_lines':
      return scene.rows.invoices.map((invoice) =>
        tryOf('invoice_id, description, rate', [invoice.id, 'New', 10], {}),
      );
    default:
      throw new Error(`Nothing to insert into ${table}.`);
  }
}
