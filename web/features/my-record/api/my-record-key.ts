// Names everything that is kept of somebody's own record, so that one change makes all of it load again.
export const myRecordKey = ['my-record'] as const;
