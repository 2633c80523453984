/** First byte after static data: everything from here on belongs to the host. */
export function heapBase(): usize {
  return __heap_base;
}
