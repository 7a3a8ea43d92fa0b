export const greeting = (name: string): string => `Good day, ${name}`;
