package memslot

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"github.com/memslot/memslot/clients/go/where"
)

func attributesOf(messages map[string]*memslotv1.AttributeValue) map[string]any {
	if len(messages) == 0 {
		return nil
	}
	values := make(map[string]any, len(messages))
	for key, message := range messages {
		values[key] = attributeOf(message)
	}
	return values
}

func attributeOf(message *memslotv1.AttributeValue) any {
	switch kind := message.GetKind().(type) {
	case *memslotv1.AttributeValue_StringValue:
		return kind.StringValue
	case *memslotv1.AttributeValue_Int64Value:
		return kind.Int64Value
	case *memslotv1.AttributeValue_DoubleValue:
		return kind.DoubleValue
	case *memslotv1.AttributeValue_BoolValue:
		return kind.BoolValue
	default:
		return nil
	}
}

func attributeMessages(values map[string]any) (map[string]*memslotv1.AttributeValue, error) {
	messages := make(map[string]*memslotv1.AttributeValue, len(values))
	for key, value := range values {
		message, ok := attributeMessage(value)
		if !ok {
			return nil, fmt.Errorf("memslot: attribute %q is of type %T: use a string, a 64-bit integer, a float or a bool", key, value)
		}
		messages[key] = message
	}
	return messages, nil
}

func attributeMessage(value any) (*memslotv1.AttributeValue, bool) {
	if _, is := value.(json.Number); is {
		return nil, false // of the kind string: it would be kept as a text
	}
	switch scalar := reflect.ValueOf(value); {
	case scalar.Kind() == reflect.String:
		return where.Value(scalar.String()), true
	case scalar.Kind() == reflect.Bool:
		return where.Value(scalar.Bool()), true
	case scalar.CanInt():
		return where.Value(scalar.Int()), true
	case scalar.CanUint() && scalar.Uint() <= math.MaxInt64:
		return where.Value(int64(scalar.Uint())), true
	case scalar.CanFloat():
		return where.Value(scalar.Float()), true
	default:
		return nil, false
	}
}
