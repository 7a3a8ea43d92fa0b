// How the outbox names reports; apart, so that registering them loads nothing else.
export const REPORT_KIND = 'incident';
