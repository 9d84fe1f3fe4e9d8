/** Names what the ratings are computed with. Raised with every change that can change a printed digit. */
export const RATINGS_VERSION = '1'
