export const LEAVE_KIND = 'leave';
