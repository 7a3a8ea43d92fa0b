// Names everything that is kept of the activity log and the security events.
export const activityKey = ['activity'] as const;
