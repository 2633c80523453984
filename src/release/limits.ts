/** What no verification of files can show; stated in every release and after every PASS. */
export const LIMITS: readonly string[] = [
  'that the answers came from the named models: a record proves that it was not changed after it was sealed, not who wrote it',
  'that no other answers were collected and left out before the ledger was sealed',
  'that the score maps measure anything but agreement with the reference they were made from',
  'who made the release: compare its digest with one you trust (--expect)',
];
