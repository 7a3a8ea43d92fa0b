export const REPORT_KIND = 'incident';
