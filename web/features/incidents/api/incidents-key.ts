// Names everything that is kept of the incidents, so that one change makes all of it load again.
export const incidentsKey = ['incidents'] as const;
