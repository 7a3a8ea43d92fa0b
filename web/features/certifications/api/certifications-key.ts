// Names everything that is kept of courses and certifications, so that one change makes all of it load again.
export const certificationsKey = ['certifications'] as const;
