/** What a server says is wrong, from `{"error": {"message": …}}` or `{"error": "…"}`. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return 'an error without a message'
}
