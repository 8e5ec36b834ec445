module github.com/inferstack/inferstack

go 1.26
