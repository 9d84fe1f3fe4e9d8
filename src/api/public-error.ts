/** An answer other than the one asked for, whose message visitors may read. */
export class PublicError extends Error {
  readonly statusCode: 400 | 404

  constructor(statusCode: 400 | 404, message: string) {
    super(message)
    this.name = 'PublicError'
    this.statusCode = statusCode
  }
}
