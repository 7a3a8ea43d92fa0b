// How the outbox names requests; apart, so that registering them loads nothing else.
export const LEAVE_KIND = 'leave';
