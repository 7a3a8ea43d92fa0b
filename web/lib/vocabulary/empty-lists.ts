// What empty lists say: what belongs here, and what comes before it.

/** Tables whose first row another list waits for. */
export type FirstTable =
  | 'clients'
  | 'contracts'
  | 'posts'
  | 'shifts'
  | 'sites'
  | 'staff'
  | 'timesheets'
  | 'training_courses';

export type EmptyText = {
  /** What belongs here, and how it comes. */
  text: string;
  /** Shown instead, while the table has no rows. */
  first?: {
    table: FirstTable;
    text: string;
    label: string;
    path: string;
    search?: Record<string, string>;
  };
};

const SITE_FIRST = {
  table: 'sites',
  text: 'Add a site first:',
  label: 'Add Site',
  path: '/admin/sites',
  search: { open: 'new' },
} as const;

const POST_FIRST = {
  table: 'posts',
  text: 'Add a post first:',
  label: 'Add Post',
  path: '/admin/roster/posts',
  search: { open: 'new' },
} as const;

const STAFF_FIRST = {
  table: 'staff',
  text: 'Hire someone first:',
  label: 'Hire a Person',
  path: '/admin/people/new',
} as const;

/** By what the rows are, as the list calls them. */
export const EMPTY_LISTS: Record<string, EmptyText> = {
  adjustments: {
    text: 'No adjustments yet. Corrections of paid time appear here, and what you add above.',
  },
  announcements: { text: 'Nothing to read at the moment. Write an announcement above.' },
  attendance: {
    text: 'No guards are assigned to shifts on this day.',
    first: {
      table: 'shifts',
      text: 'Nobody has a shift yet. Publish a week of the roster first:',
      label: 'Open Roster',
      path: '/admin/roster',
    },
  },
  certifications: {
    text: 'No certifications yet. Add the first one above.',
    first: {
      table: 'training_courses',
      text: 'No certifications yet. Add a course first:',
      label: 'Training Courses',
      path: '/admin/certifications',
      search: { view: 'courses' },
    },
  },
  clients: { text: 'No clients yet. Add the first one above, or import them from a file.' },
  contracts: {
    text: 'No contract is running. Add one above.',
    first: {
      table: 'clients',
      text: 'No contracts yet. Add a client first:',
      label: 'Add Client',
      path: '/admin/clients',
      search: { open: 'new' },
    },
  },
  courses: { text: 'No courses yet. Add the first one above.' },
  deployments: { text: 'No deployments yet. Create your first deployment above.' },
  enquiries: { text: 'No enquiries yet. Messages from the public site appear here.' },
  incidents: { text: 'No incidents yet. Incidents that guards report appear here.' },
  invoices: {
    text: 'No invoices yet. Draft those of the last month.',
    first: {
      table: 'contracts',
      text: 'No invoices yet. They follow from contracts. Add one first:',
      label: 'Add Contract',
      path: '/admin/contracts',
      search: { open: 'new' },
    },
  },
  'leave requests': { text: 'No leave requests yet. Requests from the staff portal appear here.' },
  operations: {
    text: 'No shift is running or due.',
    first: {
      table: 'shifts',
      text: 'No shifts yet. Publish a week of the roster first:',
      label: 'Open Roster',
      path: '/admin/roster',
    },
  },
  'pay accounts': {
    text: 'No pay accounts yet. Import them, or add one on a person’s page.',
    first: { ...STAFF_FIRST, text: 'No pay accounts yet. Hire someone first:' },
  },
  'pay runs': {
    text: 'No pay runs yet. A run pays the approved timesheets of a period.',
    first: {
      table: 'timesheets',
      text: 'No pay runs yet. They pay approved timesheets, and there are none. Those follow from the roster:',
      label: 'Open Roster',
      path: '/admin/roster',
    },
  },
  payroll: {
    text: 'No payroll records yet. Pay runs write them once they are locked, or add one above.',
    first: { ...STAFF_FIRST, text: 'No payroll records yet. Hire someone first:' },
  },
  payslips: { text: 'No payslips yet. Calculate the run to make them.' },
  people: { text: 'Nobody works here yet. People appear here when they are hired.' },
  'post orders': {
    text: 'No post orders yet. Add the first ones above.',
    first: { ...SITE_FIRST, text: 'No post orders yet. Add a site first:' },
  },
  posts: {
    text: 'No posts yet. Add the first one above: where a guard stands, and when.',
    first: { ...SITE_FIRST, text: 'No posts yet. Add a site first:' },
  },
  roster: {
    text: 'No shifts here in these weeks. They follow from the patterns of posts.',
    first: { ...POST_FIRST, text: 'No shifts yet. They follow from posts. Add one first:' },
  },
  shifts: {
    text: 'No shifts yet. The patterns of posts make them, or add one above.',
    first: { ...SITE_FIRST, text: 'No shifts yet. Add a site first:' },
  },
  sites: { text: 'No sites yet. Add the first one above: a place that you guard.' },
  staff: {
    text: 'No staff members yet. Everyone whom you hire appears here, and you can import a file above.',
    first: { ...STAFF_FIRST, text: 'No staff members yet. Import a file above, or hire someone:' },
  },
  timesheets: {
    text: 'No timesheets in this period. They follow by themselves from shifts and clock-ins.',
    first: {
      table: 'shifts',
      text: 'No timesheets yet. They follow from shifts. Publish a week of the roster first:',
      label: 'Open Roster',
      path: '/admin/roster',
    },
  },
  'unbilled hours': { text: 'Every worked hour of these days is billed or waived.' },
};
