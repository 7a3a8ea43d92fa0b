export function logOf(file: string, from: number, to: number): string[];
