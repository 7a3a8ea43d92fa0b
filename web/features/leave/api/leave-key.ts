// Names everything that is kept of leave requests, so that one change makes all of it load again.
export const leaveKey = ['leave_requests'] as const;
