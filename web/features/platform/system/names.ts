/** Words for the parts of the server; what is not listed is shown by its own name. */
const QUEUES: Record<string, string> = {
  letter_mails: 'Letters to clients',
  invoice_mail_queue: 'Invoices by mail',
  quote_mail_queue: 'Quotes by mail',
  payment_reminder_queue: 'Reminders to clients',
  enquiry_mails: 'Mails about enquiries',
  daily_report_mails: 'Daily reports',
  notices_push: 'Push notices',
  notices_email: 'Notices by mail',
  notices_sms: 'Text messages',
};

const SERVICES: Record<string, string> = {
  auth: 'Sign-in',
  rest: 'Data',
  storage: 'Files',
  realtime: 'Live changes',
  functions: 'Functions',
  static: 'Pages',
  health: 'Health checks',
};

export const POOLS: Record<string, string> = {
  callers: 'People',
  auth: 'Sign-in',
  storage: 'Files',
  owner: 'Server',
};

const JOBS: Record<string, string> = {
  raise_due_alerts: 'Alerts of the control room',
  escalate_alerts: 'Escalation of alerts',
  due_welfare_checks: 'Welfare checks',
  due_dispatch: 'Calls without an answer',
  queue_daily_report: 'Daily report',
  queue_client_reports: 'Monthly reports to clients',
  release_due_pages: 'Pages of the book to clients',
  tell_of_overdue_keys: 'Overdue keys',
  close_due_offers: 'Offers that end',
  due_tours: 'Unfinished rounds',
  due_time: 'Computed hours',
  escalate_incidents: 'Escalation of incidents',
  apply_retention: 'Data retention',
  continue_erasures: 'Erasures',
  check_billed_timesheets: 'Sums of unbilled hours',
  sum_for_margin: 'Sums of the margin',
  apply_pay_bases: 'New pay bases',
  tell_of_due_dates: 'Reminders of what falls due',
  queue_payment_reminders: 'Reminders to clients',
  nightly_roster: 'Shifts of the coming weeks',
};

const inWords = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const queueName = (queue: string): string => QUEUES[queue] ?? inWords(queue);
export const serviceName = (service: string): string => SERVICES[service] ?? inWords(service);

/** @param job a function of the database, for example `private.due_time` */
export function jobName(job: string): string {
  const name = job.replace(/^private\./, '');
  return JOBS[name] ?? inWords(name);
}
