export function philox(): void {}
