// Package humansize writes numbers of bytes for people and reads what people write.
package humansize
