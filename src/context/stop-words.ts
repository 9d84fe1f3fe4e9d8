/** Words that say nothing of where the code is: English, and what every issue and commit message says. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will
  with we i you he she our your my its from can could would should may might must do does did done has have had having been
  being when where which who what why how so than too very just only also more most some any all each other both few same own
  here there now about after before while during because until again once between through over under up down out off above
  below further fix fixes fixed fixing bug bugs issue issues pr pull request please thanks commit change changes changed add
  adds added adding make makes made use used using uses new see eg ie etc via still instead however currently previously
  expected actual behavior behaviour steps reproduce version describe description`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
